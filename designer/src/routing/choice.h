// SPDX-License-Identifier: GPL-3.0-or-later
// Which of the switches that two nodes share carries what one sends to the other.
//
// Basic routing (KLAT2, section 4) gives every pair one switch. Whoever takes the first one that a pair
// shares loads some NICs with many peers and leaves others idle: in an all-to-all exchange the busiest
// NIC decides, so no NIC shall carry more peers than it must (peer_bound.h).
//
// An example: seven nodes on the same two switches. Each has six peers, three for each NIC. But three
// peers on red for each of seven nodes would be 21 ends of pairs, an odd number: with one switch for both
// directions of a pair, some NIC carries four. Where one direction may go over red and the other over
// blue, three are enough, sending and receiving.
//
// So the pairs are dealt out in two steps, each a greedy choice with passes that move one at a time to
// where the sum of load^4 is smaller:
//   both ways over one switch, those with the least choice first;
//   where a NIC still carries too many, each direction by itself; what can be joined again, is.
// Too many is more than the ceiling that all NICs have in common (ceiling.h); a node's own bound, which may
// be lower, is kept as long as the bounds of others allow it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/random.h"
#include "routing/ceiling.h"

namespace fnn {

/// The leg by which each node sends to each other, as an index into its legs.
class Choice {
 public:
  static constexpr std::uint8_t kNone = 255;  ///< no switch is shared

  explicit Choice(std::size_t nodes) : nodes_(nodes), legs_(nodes * nodes, kNone) {}

  std::size_t nodes() const { return nodes_; }
  std::uint8_t leg(std::size_t from, std::size_t to) const { return legs_[from * nodes_ + to]; }
  void set(std::size_t from, std::size_t to, std::size_t leg) { legs_[from * nodes_ + to] = static_cast<std::uint8_t>(leg); }

 private:
  std::size_t nodes_;
  std::vector<std::uint8_t> legs_;
};

/// Chooses so that no NIC carries more peers than its limits, in either direction, or gets as close as the passes
/// come.
Choice choose_legs(const Legs& legs, const PeerLimits& limits, Random& random);

}  // namespace fnn
