// SPDX-License-Identifier: GPL-3.0-or-later
// Weights of advanced routing: in which parts the flows of a pair divide over the switches that it shares (weighted
// cost multipathing, WCMP: Zhou et al., EuroSys 2014).
//
// Equal parts ignore how busy the links are otherwise. An example: node 0 shares red with nodes 1 to 6, which have other
// switches among themselves, and red and blue with node 7. With equal parts its link to red carries the traffic of 6.5
// peers, that to blue of half a peer. With weights 1 and 3 red carries 6.25; 6 is the least possible.
//
// In an all-to-all exchange the busiest link is the bottleneck (maximum concurrent flow), and so it is in each pattern of
// the spec. The best parts are arbitrary fractions, and leave out switches, so that a pair without other traffic would
// lose their bandwidth. The weights here are small integers, at least 1. They differ from the standard weights only as
// far as needed for a largest load within kWeightsShare of a proved bound, in all this traffic:
//
//   1. Each pair starts with weights in proportion to the speeds of its paths: equal parts where these are equal.
//   2. Coordinate descent with fine parts finds a lower bound of the largest load (weight_descent.h), for each pattern
//      alone. Loads of a pattern then count in units of its bound, and another bound, for all patterns at once, sets the
//      target.
//   3. Coordinate descent with coarse parts: pairs on a link above the target, one after another, shift parts from their
//      dearest path to the cheapest, while the sum of capacity * (relative excess)^2 falls. It is convex.
//   4. Where the descent ends above the target, parts are halved, and it continues.
//   5. Each pair gets the smallest weights that keep its links within the target, standard weights first.
//
// No pair puts so much on one switch that it would get less, without other traffic, than the worst-case permutation
// guarantees with equal parts. So without oversubscribed switches that permutation is no worse.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "routing/legs.h"
#include "spec/patterns.h"

namespace fnn {

/// The weights of a pair, per switch that it shares, in the order of the switches.
struct PairWeights {
  std::size_t a;
  std::size_t b;
  std::vector<int> weights;
};

/// Weights per pair of nodes, the same in both directions.
class Weights {
 public:
  /// pairs: those whose parts are not equal.
  explicit Weights(std::size_t nodes, const std::vector<PairWeights>& pairs = {});

  /// Empty for equal parts.
  const std::vector<int>& of(std::size_t a, std::size_t b) const { return table_[entry(a, b)]; }
  /// The distinct weights in order, after a first entry for equal parts.
  const std::vector<std::vector<int>>& table() const { return table_; }
  /// The entry of a pair in the table.
  std::size_t entry(std::size_t a, std::size_t b) const { return entries_[a * nodes_ + b]; }

 private:
  std::size_t nodes_;
  std::vector<std::uint32_t> entries_;  ///< per ordered pair
  std::vector<std::vector<int>> table_;
};

/// The fractions in which weights divide flows over so many switches; no weights stand for equal parts.
std::vector<double> parts_of(const std::vector<int>& weights, std::size_t switches);

/// Of the weights of a pair. Linux takes up to 256 for a next hop, ip-route(8).
inline constexpr int kLargestSum = 256;

/// Share of the proved optimum at which choose_weights() stops.
inline constexpr double kWeightsShare = 0.96;

/// Weights with which the largest load of an all-to-all exchange and of every pattern, in units of its own bound, is
/// within kWeightsShare of the bound for all at once, as far as integers allow. The same legs and patterns give the same
/// weights.
Weights choose_weights(const Legs& legs, const std::vector<long long>& inside_mbps,
                       const std::vector<OwnPattern>& patterns = {});

}  // namespace fnn
