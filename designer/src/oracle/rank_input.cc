// SPDX-License-Identifier: GPL-3.0-or-later
#include "oracle/rank_input.h"

#include <algorithm>

#include "oracle/twin_squares.h"

namespace fnn {
namespace {

/// All numbers of links on the best switches that let a node meet all others. No width is above the number of nodes, so
/// these are at least the redundancy.
std::vector<Degree> degrees_on(const std::vector<Count>& widths, Count redundancy, Count peers) {
  std::vector<Degree> degrees;
  Count excess = -redundancy * peers;
  Count links = 0;
  for (const Count width : widths) {
    if (width < 2) break;
    excess += width - 1;
    ++links;
    if (excess >= 0) degrees.push_back({links, excess});
  }
  return degrees;
}

Count rank_share(const Degree& degree, Count redundancy) {
  const Count diagonal = degree.links - redundancy;
  if (diagonal == 0) return 0;
  const Count square = diagonal * diagonal;
  return kShareUnit * square / (square + largest_squares(degree.excess, diagonal));
}

Count twin_share(const Degree& degree, Count redundancy) {
  const Count diagonal = degree.links - redundancy;
  const Count square = diagonal * diagonal * kSquareUnit;
  return square == 0 ? 0 : kShareUnit * square / (square + degree.twin_squares);
}

}  // namespace

Count largest_squares(Count excess, Count diagonal) {
  const Count rest = excess % diagonal;
  return excess / diagonal * diagonal * diagonal + rest * rest;
}

bool RankInput::every_node_can_meet_all() const {
  return std::all_of(groups.begin(), groups.end(), [](const NodeGroup& group) { return !group.degrees.empty(); });
}

RankInput rank_input(const BoundInput& input) {
  RankInput result{input.nodes(), input.redundancy(), {}, {}};
  for (const Count width : input.widths()) {
    if (width >= 2) result.widths.push_back(width);
  }
  for (const NodeKind& kind : input.kinds()) {
    result.groups.push_back({kind.count, degrees_on(kind.widths, input.redundancy(), kind.peers)});
  }
  return result;
}

RankInput uniform_rank_input(Count nodes, Count nics, Count ports, Count switches) {
  const Count width = std::min(ports, nodes);
  const std::vector<Count> own(static_cast<std::size_t>(nics), width);
  return {nodes, 1, std::vector<Count>(static_cast<std::size_t>(switches), width), {{nodes, degrees_on(own, 1, nodes - 1)}}};
}

Count share_of(const RankInput& input, ShareRule rule, const Degree& degree) {
  switch (rule) {
    case ShareRule::kFisher: return degree.excess < degree.links - input.redundancy ? kShareUnit : 0;
    case ShareRule::kRank: return rank_share(degree, input.redundancy);
    case ShareRule::kTwins: break;
  }
  return twin_share(degree, input.redundancy);
}

Count least_shares(const RankInput& input, ShareRule rule) {
  Count sum = 0;
  for (const NodeGroup& group : input.groups) {
    Count least = kShareUnit;
    for (const Degree& degree : group.degrees) least = std::min(least, share_of(input, rule, degree));
    sum += group.count * least;
  }
  return sum;
}

}  // namespace fnn
