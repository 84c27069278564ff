// SPDX-License-Identifier: GPL-3.0-or-later
// The demand: which pairs of nodes must share how many switches. It is the hard constraint of a design; the goals
// (spec/goals.h) are soft.
#pragma once

#include <cstddef>
#include <vector>

#include "base/bitset.h"

namespace fnn {

struct Spec;
struct WeightedPair;

class Demand {
 public:
  /// `coverage: all` wants every pair, `coverage: patterns` the pairs of the patterns. Wanted pairs must share
  /// `redundancy` switches.
  explicit Demand(const Spec& spec);
  /// Every pair of `nodes` nodes.
  static Demand universal(std::size_t nodes, int redundancy = 1);
  /// Only the pairs given, whatever their weights.
  static Demand of_pairs(std::size_t nodes, const std::vector<WeightedPair>& pairs, int redundancy = 1);

  /// The same pairs with another number of switches to share.
  Demand with_redundancy(int redundancy) const;

  std::size_t nodes() const { return nodes_; }
  /// The number of switches that a wanted pair must share.
  int redundancy() const { return redundancy_; }
  /// Whether every pair is wanted.
  bool is_universal() const { return universal_; }
  bool wants(std::size_t node, std::size_t peer) const { return wanted_.has(node, peer); }
  /// Per node, the peers it must share switches with; symmetric, never the node itself.
  const BitRows& wanted() const { return wanted_; }
  /// The number of unordered wanted pairs.
  long long pairs() const { return pairs_; }

 private:
  Demand(std::size_t nodes, int redundancy, bool universal);

  void want(const std::vector<WeightedPair>& pairs);

  std::size_t nodes_;
  BitRows wanted_;
  long long pairs_ = 0;
  int redundancy_;
  bool universal_;
};

}  // namespace fnn
