// SPDX-License-Identifier: GPL-3.0-or-later
// The fabric of a design as input of the measures: links with speeds, and the internal capacity of switches.
//
// Bandwidths are in Mb/s here and in units of one link in documents. One link is the slowest link that any NIC of the
// spec could have, as for the goals.
#pragma once

#include <vector>

#include "evaluate/rational.h"
#include "routing/legs.h"

namespace fnn {

struct Fabric {
  static constexpr long long kUnlimited = kUnlimitedMbps;

  Legs legs;                           ///< per node
  int unit_mbps;
  std::vector<int> links;              ///< per switch
  std::vector<long long> links_mbps;   ///< per switch, the sum of its link speeds
  std::vector<long long> inside_mbps;  ///< per switch, its total internal capacity, or kUnlimited
  std::vector<bool> uplinked;          ///< per switch, whether it has a cable to the uplink switch

  std::size_t nodes() const { return legs.size(); }
  /// Unordered pairs of nodes.
  long long pairs() const;
  /// Whether some switch is oversubscribed: its internal capacity is below the sum of its link speeds.
  bool has_oversubscribed_switches() const;
  /// Whether all links run at one speed.
  bool is_even() const;
  /// Bandwidth between two nodes over all their shared switches at once, in one direction.
  long long pair_mbps(std::size_t a, std::size_t b) const;

  Rational units(long long mbps) const { return {mbps, unit_mbps}; }
};

/// For a design that passes check(), uncovered pairs excepted.
Fabric fabric_of(const Design& design);

}  // namespace fnn
