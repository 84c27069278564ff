// SPDX-License-Identifier: GPL-3.0-or-later
// A wiring: which NIC is plugged into which switch. Every change respects the limits.
#pragma once

#include <vector>

#include "base/bitset.h"
#include "base/random.h"
#include "design/port_limits.h"

namespace fnn {

class Wiring {
 public:
  /// All NICs unplugged. The limits must outlive every wiring made from them.
  explicit Wiring(const Limits& limits);

  const Limits& limits() const { return *limits_; }
  /// The group that a NIC is plugged into, or kDummy if unused.
  int group(int nic) const { return group_of_nic_[Limits::at(nic)]; }
  int device(int nic) const { return device_of(group(nic)); }
  int device_of(int group) const { return group == kDummy ? kDummy : limits_->groups[Limits::at(group)].device; }
  int node(int nic) const { return limits_->nics[Limits::at(nic)].node; }
  int media(int nic) const { return limits_->nics[Limits::at(nic)].media; }
  bool is_on(int node, int device) const { return members_.has(Limits::at(device), Limits::at(node)); }
  /// Ports of a group that are still available to nodes.
  int free_ports(int group) const;
  int load(int device) const { return load_[Limits::at(device)]; }
  const std::vector<int>& nics_on(int group) const { return nics_on_[Limits::at(group)]; }
  const BitRows& members() const { return members_; }
  int link_count() const;

  /// Whether `plug` would keep the limits: media, a free port, no second link to the same switch.
  bool can_plug(int nic, int group) const;
  void plug(int nic, int group);
  void unplug(int nic);

  /// Plugs unused NICs into free ports while a fitting pair exists: the switch with the most free ports first, with
  /// random ties. An empty wiring gets every NIC plugged that can be used at once.
  void fill(Random& random);

  bool operator==(const Wiring& other) const { return group_of_nic_ == other.group_of_nic_; }

 private:
  const Limits* limits_;
  std::vector<int> group_of_nic_;
  std::vector<int> place_;                 ///< per NIC, its index in nics_on_ of its group
  std::vector<std::vector<int>> nics_on_;  ///< per group
  std::vector<int> load_;                  ///< per switch
  BitRows members_;                        ///< per switch, the nodes on it
};

}  // namespace fnn
