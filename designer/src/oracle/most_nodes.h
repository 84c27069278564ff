// SPDX-License-Identifier: GPL-3.0-or-later
// The most nodes that any design can have on a number of switches; the essay is in most_nodes.cc.
#pragma once

#include <cstddef>
#include <optional>

namespace fnn {

/// As a fraction in lowest terms.
struct NodesPerPort {
  long long nodes;
  long long ports;
};

/// Fewer switches are those of Mills, for any number of NICs and ports.
inline constexpr std::size_t kFewestOfRatio = 14;

/// The ports of a switch up to which the fractions for so many switches or more are proved.
inline constexpr long long kWidestOfRatio = 1000;

/// The most that any design with at most `rank` NICs per node can have, if nodes may be divided; an upper bound of that
/// for 6 NICs on 19 switches. Nothing where no more is known than by other bounds.
std::optional<NodesPerPort> most_nodes_per_port(long long rank, std::size_t switches);

/// An upper bound for whole nodes on `switches` switches with `width` ports for nodes each; nothing where
/// `most_nodes_per_port` has nothing or does not apply to the width.
std::optional<long long> most_nodes(long long rank, std::size_t switches, long long width);

}  // namespace fnn
