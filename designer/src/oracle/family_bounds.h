// SPDX-License-Identifier: GPL-3.0-or-later
// Bounds from theorems on intersecting families of sets; the essay is in family_bounds.cc.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "oracle/bound_input.h"
#include "oracle/bounds.h"

namespace fnn {

/// As a fraction in lowest terms.
struct NodesPerPort {
  Count nodes;
  Count ports;
};

/// The ports of a switch up to which the fractions for 14 switches or more are proved.
inline constexpr Count kWidestOfRatio = 1000;

/// The most that any design with at most `rank` NICs per node can have, if nodes may be divided; nothing where that is
/// not known.
std::optional<NodesPerPort> most_nodes_per_port(Count rank, std::size_t switches);

/// Requires numbers in which every pair is wanted.
void append_family_bounds(const BoundInput& input, std::vector<Bound>& bounds);

}  // namespace fnn
