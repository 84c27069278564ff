// SPDX-License-Identifier: GPL-3.0-or-later
// The input of the bounds from linear algebra: how many links a node may have, and its share of a positive eigenvalue.
#pragma once

#include <vector>

#include "oracle/bound_input.h"

namespace fnn {

/// Shares are rounded down to multiples of 1 / kShareUnit.
inline constexpr Count kShareUnit = Count{1} << 20;

/// The bounds that count shares.
enum class ShareRule { kFisher, kRank, kTwins };

/// A number of links with which a node can meet all others.
struct Degree {
  Count links;
  Count excess;           ///< meetings beyond the necessary ones, at most
  Count twin_squares = 0;  ///< see twin_squares.h, in multiples of 1 / kSquareUnit
};

/// An upper bound on the sum of squares of a row's entries, which add up to the excess and are at most the diagonal: as
/// many entries as possible are equal to the diagonal. Requires that the diagonal is not 0.
Count largest_squares(Count excess, Count diagonal);

/// Equivalent nodes.
struct NodeGroup {
  Count count;
  std::vector<Degree> degrees;  ///< fewest links first
};

struct RankInput {
  Count nodes;
  Count redundancy;
  std::vector<Count> widths;  ///< of switches for at least two nodes, widest first
  std::vector<NodeGroup> groups;
  bool has_twin_squares = false;

  Count switches() const { return static_cast<Count>(widths.size()); }
  /// Whether every node can meet all others.
  bool every_node_can_meet_all() const;
};

RankInput rank_input(const BoundInput& input);

/// The same for equal nodes and equal switches.
RankInput uniform_rank_input(Count nodes, Count nics, Count ports, Count switches);

/// In multiples of 1 / kShareUnit.
Count share_of(const RankInput& input, ShareRule rule, const Degree& degree);

/// The sum over all nodes of the least share that they may have.
Count least_shares(const RankInput& input, ShareRule rule);

}  // namespace fnn
