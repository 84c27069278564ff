// SPDX-License-Identifier: GPL-3.0-or-later
// Link speeds: the lower of the NIC's and the port's speed. Where a switch has ports of one medium with several
// speeds, a design states that of the port. If it does not, the slowest of them counts.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace fnn {

struct Spec;
struct Node;

class LinkSpeeds {
 public:
  explicit LinkSpeeds(const Spec& spec);

  /// The speed of the link from a NIC of a node to a switch; 0 when there is no port of its medium. `port_mbps`: the
  /// stated speed of the port, or 0.
  int mbps(const Node& node, int nic, int device, int port_mbps = 0) const;
  /// The slowest possible link of any NIC; 0 when none fits any port.
  int slowest() const { return possible_.empty() ? 0 : *possible_.begin(); }
  int fastest() const { return possible_.empty() ? 0 : *possible_.rbegin(); }
  /// The fastest possible link of less than a speed; 0 when there is none.
  int slower_than(int mbps) const;
  /// Whether links of different speeds are possible.
  bool differ() const { return possible_.size() > 1; }
  /// The greatest common divisor of the speeds of all possible links; 0 when there are none.
  int unit() const { return unit_; }

 private:
  std::vector<std::map<std::string, std::set<int>>> ports_;  ///< per switch and medium, the speeds of its ports
  std::set<int> possible_;  ///< the speeds of all possible links
  int unit_ = 0;
};

}  // namespace fnn
