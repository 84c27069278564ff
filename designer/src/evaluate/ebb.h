// SPDX-License-Identifier: GPL-3.0-or-later
// Effective bisection bandwidth (Hoefler): what a flow gets on average when all nodes talk in random pairs.
//
// A pattern is a uniformly random order p of the nodes; p[0] talks to p[1], p[2] to p[3] and so on, one way (`uni`) or
// both ways (`sym`); with an odd number of nodes one is left over. A node then has at most one flow in each direction.
// In a fabric whose switches keep up with their links no two flows share a link, so a flow gets all that its switches
// give. With basic routing that is the same in every such fabric, and with advanced routing its mean over patterns is
// the mean pairwise bandwidth. So both have an exact value, and patterns show the spread, and that we count right.
#pragma once

#include "base/bitset.h"
#include "evaluate/fabric.h"
#include "evaluate/sampling.h"
#include "routing/choice.h"

namespace fnn {

/// Sums the bandwidths of random pairs when switches keep up: the innermost loop of it all.
///
/// Bandwidth over shared switches is a sum over steps of speed: a switch counts the step from speed s to t when both
/// links to it are at least as fast as t. Per node and step the switches are a set of bits, so that a pair costs an
/// `and` and a count of bits; and of many words the bits are counted together (count_all).
class PairSums {
 public:
  PairSums(const Fabric& fabric, const Choice& choice);

  struct Mbps {
    long long basic_there = 0;
    long long basic_back = 0;
    long long advanced = 0;  ///< alike in both directions
  };

  /// Of the pairs order[2i], order[2i + 1].
  Mbps sum(const std::vector<std::uint16_t>& order);
  long long advanced(const std::vector<std::uint16_t>& order);

 private:
  void sum_basic(const std::vector<std::uint16_t>& order, Mbps& sums) const;

  std::size_t nodes_;
  std::vector<std::vector<Word>> masks_;  ///< per step of speed and word of switches, one of each node
  std::vector<long long> steps_;          ///< of each of these, Mb/s
  std::vector<Word> common_;
  std::vector<std::uint16_t> routed_;     ///< of ordered pairs, the speed of their route, by its number
  std::vector<long long> speeds_;         ///< 0, then those of links, rising
  bool alike_;                            ///< every pair has a route, all of one speed
};

/// Bits in many words together: a tree of full adders takes eight words at a time (Harley and Seal).
long long count_all(const Word* words, std::size_t count);

/// Mean bandwidths of flows in links, exact where switches keep up: over ordered pairs, 0 where none is shared.
Rational exact_basic(const Fabric& fabric, const Choice& choice);

/// {"basic", "advanced"}, each {"uni", "sym"}, each an estimate with its "exact" value, null where switches are narrow.
Json effective_bisection(const Fabric& fabric, const Choice& choice, const Sampling& sampling);

}  // namespace fnn
