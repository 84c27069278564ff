// SPDX-License-Identifier: GPL-3.0-or-later
// The number of peers on each NIC, and its cost.
#pragma once

#include <vector>

#include "routing/ceiling.h"

namespace fnn {

/// Loads of one direction, sending or receiving. Leg numbers are those of Legs.
class Loads {
 public:
  Loads(const Legs& legs, const PeerLimits& limits);

  int peers(std::size_t node, std::size_t leg) const { return at(node, leg).peers; }
  bool is_full(std::size_t node, std::size_t leg) const { return at(node, leg).peers >= at(node, leg).own; }
  /// Whether some NIC carries more than its node's own bound, or more than the ceiling.
  bool any_over_own() const;
  bool any_over_ceiling() const;
  void add(std::size_t node, std::size_t leg) { ++at(node, leg).peers; }
  void drop(std::size_t node, std::size_t leg) { --at(node, leg).peers; }

  /// The marginal cost of one more peer: the step of (peers / speed)^4. Beyond the node's own bound it exceeds all
  /// such steps; beyond the ceiling it is higher again.
  double price_of_one_more(std::size_t node, std::size_t leg) const;

 private:
  struct Load {
    int peers;
    int own;
    int ceiling;
    double slowness;  ///< the slowest speed divided by that of the link
  };

  Load& at(std::size_t node, std::size_t leg) { return loads_[first_[node] + leg]; }
  const Load& at(std::size_t node, std::size_t leg) const { return loads_[first_[node] + leg]; }

  std::vector<std::size_t> first_;  ///< per node, its first index in loads_
  std::vector<Load> loads_;
};

}  // namespace fnn
