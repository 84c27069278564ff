// SPDX-License-Identifier: GPL-3.0-or-later
// Link speeds: the lower of the NIC's and the port's speed. Where a switch has ports of one medium with several
// speeds, the slowest of them counts.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace fnn {

struct Spec;
struct Node;

class LinkSpeeds {
 public:
  explicit LinkSpeeds(const Spec& spec);

  /// The speed of the link from a NIC of a node to a switch; 0 when there is no port of its medium.
  int mbps(const Node& node, int nic, int device) const;
  /// The slowest possible link of any NIC; 0 when none fits any port.
  int slowest() const { return slowest_; }
  /// Whether links of different speeds are possible.
  bool differ() const { return fastest_ > slowest_; }

 private:
  int lower(int nic_mbps, const std::string& media, std::size_t device) const;

  std::vector<std::map<std::string, int>> ports_;  ///< per switch, the slowest port of each medium
  int slowest_ = 0;
  int fastest_ = 0;
};

}  // namespace fnn
