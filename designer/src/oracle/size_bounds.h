// SPDX-License-Identifier: GPL-3.0-or-later
// Bounds from the least number of switches: they cannot all be full, or they are as many as the nodes. The essay is in
// size_bounds.cc, the proofs in docs/reference/bounds.md.
#pragma once

#include <optional>

#include "oracle/bounds.h"
#include "oracle/rank_input.h"

namespace fnn {

/// Requires that every node can meet all others. Nothing where it lets the switches cover at least `covered` pairs, the
/// number of another bound, which then is as tight.
std::optional<Bound> sizes_bound(const RankInput& input, Count ports, Count covered);

/// Whether the same bound allows the nodes with so many links in all.
bool sizes_allow(const RankInput& input, Count links);

/// Nothing where the determinant is the square of an integer, or unknown.
std::optional<Bound> determinant_bound(const RankInput& input);

}  // namespace fnn
