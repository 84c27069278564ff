// SPDX-License-Identifier: GPL-3.0-or-later
// Route selection: which shared switch carries the traffic from one node to another.
//
// Basic routing (KLAT2, section 4) gives every pair one switch. Taking the first shared switch overloads some NICs
// and leaves others idle. In an all-to-all exchange the busiest NIC is the bottleneck, so no NIC should carry more
// peers than necessary (peer_bound.h).
//
// An example: seven nodes on the same two switches. Each has six peers, three for each NIC. But three peers on red
// for each of seven nodes make 21 ends of pairs, an odd number. With one switch for both directions of a pair, some
// NIC carries four. If one direction may use red and the other blue, three suffice, for sending and for receiving.
//
// Pairs are therefore assigned in two steps. Each is a greedy choice followed by local search that moves one pair at
// a time to where the sum of load^4 is smaller:
//   1. both directions over one switch, pairs with the fewest choices first;
//   2. where a NIC still exceeds the limit, each direction separately; then directions are rejoined where possible.
// The limit is the ceiling that all NICs have in common (ceiling.h). A node's own bound, which may be lower, is kept
// as far as the bounds of other nodes allow it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/random.h"
#include "routing/ceiling.h"

namespace fnn {

/// Per ordered pair of nodes, the leg of the sender, as an index into its legs.
class Choice {
 public:
  static constexpr std::uint8_t kNone = 255;  ///< the nodes share no switch

  explicit Choice(std::size_t nodes) : nodes_(nodes), legs_(nodes * nodes, kNone) {}

  std::size_t nodes() const { return nodes_; }
  std::uint8_t leg(std::size_t from, std::size_t to) const { return legs_[from * nodes_ + to]; }
  void set(std::size_t from, std::size_t to, std::size_t leg) { legs_[from * nodes_ + to] = static_cast<std::uint8_t>(leg); }

 private:
  std::size_t nodes_;
  std::vector<std::uint8_t> legs_;
};

/// Chooses legs so that no NIC exceeds its limits in either direction, or comes as close as the passes allow.
Choice choose_legs(const Legs& legs, const PeerLimits& limits, Random& random);

}  // namespace fnn
