// SPDX-License-Identifier: GPL-3.0-or-later
#include "brute_force.h"

#include <bit>
#include <vector>

namespace fnn::testing {
namespace {

class Backtracking {
 public:
  Backtracking(const Limits& limits, const Demand& demand)
      : limits_(limits), demand_(demand), free_group_ports_(limits.groups.size()), free_ports_(limits.usable_ports) {
    for (std::size_t g = 0; g < free_group_ports_.size(); ++g) free_group_ports_[g] = limits.groups[g].ports;
  }

  /// Backtracking: chooses links for the NICs of this node from `nic` on, then for the later nodes.
  bool search(int node, int nic, unsigned on) {
    if (node == limits_.node_count()) return true;
    if (nic == limits_.first_nic[Limits::at(node) + 1]) {
      if (!meets_earlier(node, on)) return false;
      sets_.push_back(on);
      const bool good = search(node + 1, nic, 0);
      sets_.pop_back();
      return good;
    }
    const int media = limits_.nics[Limits::at(nic)].media;
    if (search(node, nic + 1, on)) return true;  // the NIC stays unused
    for (const int group : limits_.groups_by_media[Limits::at(media)]) {
      const int device = limits_.groups[Limits::at(group)].device;
      // The NICs of a node are interchangeable within one medium: only ascending switches are tried.
      const bool rising = on >> device == 0 || limits_.media_count > 1;
      if (!rising || (on >> device & 1U) != 0) continue;
      if (free_group_ports_[Limits::at(group)] == 0 || free_ports_[Limits::at(device)] == 0) continue;
      --free_group_ports_[Limits::at(group)];
      --free_ports_[Limits::at(device)];
      const bool good = search(node, nic + 1, on | 1U << device);
      ++free_group_ports_[Limits::at(group)];
      ++free_ports_[Limits::at(device)];
      if (good) return true;
    }
    return false;
  }

 private:
  bool meets_earlier(int node, unsigned on) const {
    for (std::size_t peer = 0; peer < sets_.size(); ++peer) {
      const bool wanted = demand_.wants(Limits::at(node), peer);
      if (wanted && std::popcount(on & sets_[peer]) < demand_.redundancy()) return false;
    }
    return true;
  }

  const Limits& limits_;
  const Demand& demand_;
  std::vector<int> free_group_ports_;  // free, per group
  std::vector<int> free_ports_;   // free, per switch
  std::vector<unsigned> sets_;
};

}  // namespace

bool design_exists(const Limits& limits, const Demand& demand) { return Backtracking(limits, demand).search(0, 0, 0); }

}  // namespace fnn::testing
