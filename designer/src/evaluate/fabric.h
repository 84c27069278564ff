// SPDX-License-Identifier: GPL-3.0-or-later
// The fabric of a design as measures see it: links with speeds, and what switches can carry inside.
//
// Bandwidths are in Mb/s here and in units of one link in documents. The unit is that of the goals: the slowest link
// that any NIC of the spec could have.
#pragma once

#include <limits>
#include <vector>

#include "evaluate/rational.h"
#include "routing/legs.h"

namespace fnn {

struct Fabric {
  static constexpr long long kUnlimited = std::numeric_limits<long long>::max();

  Legs legs;                           ///< per node
  int unit_mbps;
  std::vector<int> links;              ///< per switch
  std::vector<long long> links_mbps;   ///< per switch, the sum over its links
  std::vector<long long> inside_mbps;  ///< per switch, what it carries from all ports together, or kUnlimited
  std::vector<bool> raised;            ///< per switch, whether a cable leads to the uplink switch

  std::size_t nodes() const { return legs.size(); }
  /// Unordered pairs of nodes.
  long long pairs() const;
  /// Whether some switch cannot carry what its links bring.
  bool has_narrow_switches() const;
  /// Whether all links run at one speed.
  bool is_even() const;
  /// What two nodes can send to each other at the same time over all the switches they share, in either direction.
  long long pair_mbps(std::size_t a, std::size_t b) const;

  Rational units(long long mbps) const { return {mbps, unit_mbps}; }
};

/// Of a design that check() finds nothing wrong with, but perhaps uncovered pairs.
Fabric fabric_of(const Design& design);

}  // namespace fnn
