// SPDX-License-Identifier: GPL-3.0-or-later
//
// Bounds from the rank of the incidence matrix
// --------------------------------------------
// N has a row per node and a column per switch, 1 where a node is on a switch. N * N' counts the switches that two nodes
// share, so A = N * N' - L has no negative number outside its diagonal (L: the redundancy). Its diagonal is d - L for a
// node with d links, and the other numbers of its row add up to at most its excess
//
//     e = (sum of w_j - 1 over its switches) - L * (n - 1),
//
// by which it meets others more often than necessary. N has rank b at most, b being the number of switches, and A is
// N * N' minus a matrix without negative eigenvalues: A has at most b positive eigenvalues. With few links e is small,
// A is almost diagonal, and then it has many of them. A node counts as a share of a positive eigenvalue:
//
// fisher  A node with e < d - L counts 1, as A is positive definite on such nodes (Gershgorin); others count 0.
// rank    With e = k(d - L) + m, m < d - L, a node counts 1 / (1 + k + (m / (d - L))^2). Proof: for numbers c of any size
//         the square of sum c * A_ii is at most b times the sum of the squares of all numbers in C * A * C (Ky Fan and
//         Hoffman 1954), and no number outside the diagonal is above d - L. A blown-up projective plane attains this.
//
// twins   The same with less than k + (m / (d - L))^2 for the squares outside the diagonal: not all nodes can share so many
//         switches with the same others (twin_squares.cc).
//
// All shares together are at most b. More links lower the share of a node and take ports: with a multiplier u >= 0, every
// design has at least as many links as the sum over all nodes of the least (d + u * share(d)), minus u * b. One with the
// best u is reported; the certificate names it.
//
// size_bounds.cc draws more conclusions from the least number of switches.
//
// The shares are rounded down to multiples of 1 / kShareUnit.
#include "oracle/rank_bounds.h"

#include <algorithm>
#include <utility>

#include "base/problem.h"
#include "oracle/rank_input.h"
#include "oracle/size_bounds.h"
#include "oracle/twin_squares.h"

namespace fnn {
namespace {

constexpr Count kSteps = 16;                      // the multiplier is a multiple of 1 / kSteps
constexpr Count kMostMultiplier = Count{1} << 24;  // in these steps; sums stay below 2^62

/// A bound on the sum of shares.
struct RankBound {
  const char* name;
  const char* source;
  ShareRule rule;
};

constexpr RankBound kFisher{"fisher", "Fisher", ShareRule::kFisher};
constexpr RankBound kRank{"rank", "rank of the incidence matrix", ShareRule::kRank};
constexpr RankBound kTwins{"twins", "rank of the incidence matrix, few twins", ShareRule::kTwins};

/// The links that a multiplier proves to be necessary.
struct Relaxation {
  Count multiplier;  ///< in steps
  Count links;
  Count shares;      ///< of the degrees that attain the minimum
};

Relaxation relax(const RankInput& input, ShareRule rule, Count multiplier) {
  Count cost = -multiplier * input.switches() * kShareUnit;
  Count shares = 0;
  for (const NodeGroup& group : input.groups) {
    Count least = -1;
    Count of_least = 0;
    for (const Degree& degree : group.degrees) {
      const Count own = share_of(input, rule, degree);
      const Count here = degree.links * kSteps * kShareUnit + multiplier * own;
      if (least >= 0 && here >= least) continue;
      least = here;
      of_least = own;
    }
    cost += group.count * least;
    shares += group.count * of_least;
  }
  return {multiplier, ceiling(std::max<Count>(cost, 0), kSteps * kShareUnit), shares};
}

/// The cost is a concave function of the multiplier, so the best one is where the shares come down to the number of
/// switches.
Relaxation best_relaxation(const RankInput& input, ShareRule rule) {
  Count low = 0;
  Count high = kMostMultiplier;
  while (high - low > 1) {
    const Count middle = low + (high - low) / 2;
    (relax(input, rule, middle).shares > input.switches() * kShareUnit ? low : high) = middle;
  }
  const Relaxation below = relax(input, rule, low);
  const Relaxation above = relax(input, rule, high);
  return below.links >= above.links ? below : above;
}

Bound links_bound(const RankInput& input, const RankBound& bound) {
  const Count shares = least_shares(input, bound.rule);
  if (shares > input.switches() * kShareUnit) {
    const Count needed = ceiling(shares, kShareUnit);
    return {bound.name, needed, input.switches(),
            counted(input.nodes, "node") + " with so few NICs need at least " + counted(needed, "switch") + " (" + bound.source +
                "), but there are only " + std::to_string(input.switches())};
  }
  const Relaxation best = best_relaxation(input, bound.rule);
  Count ports = 0;
  for (const Count width : input.widths) ports += width;
  return {bound.name, best.links, ports,
          counted(input.nodes, "node") + " on " + counted(input.switches(), "switch") + " need at least " +
              counted(best.links, "link") + " (" + bound.source + "), but the switches have only " + counted(ports, "port") +
              " for nodes",
          Multiplier{best.multiplier, kSteps}};
}

const Bound& find_bound(const std::vector<Bound>& bounds, const char* name) {
  return *std::find_if(bounds.begin(), bounds.end(), [&](const Bound& bound) { return bound.name == name; });
}

/// Whether a bound needs a larger multiple of what is available than another.
bool is_tighter(const Bound& one, const Bound& other) { return one.needed * other.available > other.needed * one.available; }

std::vector<Bound> links_bounds(RankInput& input) {
  std::vector<Bound> bounds{links_bound(input, kFisher), links_bound(input, kRank)};
  determine_twin_squares(input);
  if (!input.has_twin_squares) return bounds;
  Bound twins = links_bound(input, kTwins);
  if (is_tighter(twins, bounds[0]) && is_tighter(twins, bounds[1])) bounds.push_back(std::move(twins));
  return bounds;
}

}  // namespace

void append_rank_bounds(const BoundInput& input, std::vector<Bound>& bounds) {
  RankInput ranks = rank_input(input);
  if (input.nodes() < 3 || ranks.widths.empty() || !ranks.every_node_can_meet_all()) return;
  const Count pairs = find_bound(bounds, "pairs").available;
  const Count slots = find_bound(bounds, "slots").needed;
  if (ranks.switches() < ranks.nodes) {  // no share is above 1
    for (Bound& bound : links_bounds(ranks)) {
      if (bound.needed > slots || !bound.holds()) bounds.push_back(std::move(bound));
    }
  }
  if (auto sizes = sizes_bound(ranks, input.ports(), pairs)) bounds.push_back(std::move(*sizes));
  if (auto determinant = determinant_bound(ranks)) bounds.push_back(std::move(*determinant));
}

bool rank_bounds_allow(Count nodes, Count nics, Count ports) {
  if (nodes < 3) return true;
  const RankInput input = uniform_rank_input(nodes, nics, ports, 1);
  return input.every_node_can_meet_all() && sizes_allow(input, nodes * nics);
}

}  // namespace fnn
