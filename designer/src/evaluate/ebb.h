// SPDX-License-Identifier: GPL-3.0-or-later
// Effective bisection bandwidth (Hoefler): the mean throughput of a flow when all nodes communicate in random pairs.
//
// A pattern is a uniformly random order p of the nodes: p[0] sends to p[1], p[2] to p[3] and so on, in one direction
// (`uni`) or in both (`sym`). An odd number of nodes leaves one idle. A node then has at most one flow per direction.
// In a fabric without oversubscribed switches no two flows share a link, so a flow gets the full bandwidth of its
// switches. With basic routing the mean is then the same in every such fabric; with advanced routing it is the mean
// pairwise bandwidth. Both therefore have an exact value. The sampled patterns add the spread and verify the
// counting.
#pragma once

#include "base/bitset.h"
#include "evaluate/fabric.h"
#include "evaluate/sampling.h"
#include "routing/choice.h"

namespace fnn {

/// Sums the bandwidths of random pairs in a fabric without oversubscribed switches: the innermost loop.
///
/// The bandwidth over shared switches is a sum over speed steps: a switch contributes the step from speed s to t when
/// both links to it run at t or faster. Per node and step, the switches form a bit set, so a pair costs an `and` and
/// a population count. With many words per set, count_all counts them together.
class PairSums {
 public:
  PairSums(const Fabric& fabric, const Choice& choice);

  struct Mbps {
    long long basic_forward = 0;
    long long basic_backward = 0;
    long long advanced = 0;  ///< the same in both directions
  };

  /// Over the pairs (order[2i], order[2i + 1]).
  Mbps sum(const std::vector<std::uint16_t>& order);
  long long advanced(const std::vector<std::uint16_t>& order);

 private:
  void sum_basic(const std::vector<std::uint16_t>& order, Mbps& sums) const;

  std::size_t nodes_;
  std::vector<std::vector<Word>> masks_;  ///< per speed step and word of switches, one mask per node
  std::vector<long long> steps_;          ///< Mb/s of each step
  std::vector<Word> common_;
  std::vector<std::uint16_t> routed_;     ///< per ordered pair, the index of its route's speed
  std::vector<long long> speeds_;         ///< 0, then link speeds, ascending
  bool alike_;                            ///< every pair has a route, all of one speed
};

/// Population count of many words: a carry-save adder tree takes eight words at a time (Harley and Seal).
long long count_all(const Word* words, std::size_t count);

/// Mean bandwidths of flows in links over ordered pairs, exact without oversubscribed switches; 0 for pairs that
/// share none.
Rational exact_basic(const Fabric& fabric, const Choice& choice);

/// {"basic", "advanced"}, each {"uni", "sym"}, each an estimate with its "exact" value; that is null with
/// oversubscribed switches.
Json effective_bisection(const Fabric& fabric, const Choice& choice, const Sampling& sampling);

}  // namespace fnn
