// SPDX-License-Identifier: GPL-3.0-or-later
// How fast links run: at the lower of the NIC's and the port's speed, and where a switch has ports of
// one media with several speeds, at the slowest of them.
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

  /// Of the link from a NIC of a node to a switch; 0 when there is no port of its media.
  int mbps(const Node& node, int nic, int device) const;
  /// The slowest link that any NIC could have; 0 when none fits any port.
  int slowest() const { return slowest_; }
  /// Whether there could be links of more than one speed.
  bool differ() const { return fastest_ > slowest_; }

 private:
  int lower(int nic_mbps, const std::string& media, std::size_t device) const;

  std::vector<std::map<std::string, int>> ports_;  ///< per switch, the slowest port of each media
  int slowest_ = 0;
  int fastest_ = 0;
};

}  // namespace fnn
