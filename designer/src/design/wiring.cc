// SPDX-License-Identifier: GPL-3.0-or-later
#include "design/wiring.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace fnn {

using std::size_t;

Wiring::Wiring(const Limits& limits)
    : limits_(&limits),
      group_of_nic_(limits.nics.size(), kDummy),
      place_(limits.nics.size(), 0),
      nics_on_(limits.groups.size()),
      load_(limits.usable_ports.size(), 0),
      members_(limits.usable_ports.size(), Limits::at(limits.node_count())) {}

int Wiring::free_ports(int group) const {
  const Group& ports = limits_->groups[Limits::at(group)];
  const int in_group = ports.ports - static_cast<int>(nics_on(group).size());
  const int on_switch = limits_->usable_ports[Limits::at(ports.device)] - load(ports.device);
  return std::min(in_group, on_switch);
}

int Wiring::link_count() const { return std::accumulate(load_.begin(), load_.end(), 0); }

bool Wiring::can_plug(int nic, int group) const {
  return media(nic) == limits_->groups[Limits::at(group)].media && free_ports(group) > 0 &&
         !is_on(node(nic), device_of(group));
}

void Wiring::plug(int nic, int group) {
  assert(this->group(nic) == kDummy && can_plug(nic, group));
  std::vector<int>& there = nics_on_[Limits::at(group)];
  group_of_nic_[Limits::at(nic)] = group;
  place_[Limits::at(nic)] = static_cast<int>(there.size());
  there.push_back(nic);
  ++load_[Limits::at(device_of(group))];
  members_.insert(Limits::at(device_of(group)), Limits::at(node(nic)));
}

void Wiring::unplug(int nic) {
  const int group = this->group(nic);
  assert(group != kDummy);
  std::vector<int>& there = nics_on_[Limits::at(group)];
  const int last = there.back();
  there[Limits::at(place_[Limits::at(nic)])] = last;
  place_[Limits::at(last)] = place_[Limits::at(nic)];
  there.pop_back();
  group_of_nic_[Limits::at(nic)] = kDummy;
  --load_[Limits::at(device_of(group))];
  members_.erase(Limits::at(device_of(group)), Limits::at(node(nic)));
}

void Wiring::fill(Random& random) {
  std::vector<int> unused;
  for (size_t nic = 0; nic < group_of_nic_.size(); ++nic) {
    if (group_of_nic_[nic] == kDummy) unused.push_back(static_cast<int>(nic));
  }
  random.shuffle(unused);
  for (const int nic : unused) {
    int best = kDummy;
    int most = 0;
    size_t ties = 0;
    for (const int group : limits_->groups_by_media[Limits::at(media(nic))]) {
      if (!can_plug(nic, group)) continue;
      const int room = free_ports(group);
      ties = room > most ? 1 : room == most ? ties + 1 : ties;
      if (room > most || (room == most && random.one_in(ties))) best = group;
      most = std::max(most, room);
    }
    if (best != kDummy) plug(nic, best);
  }
}

}  // namespace fnn
