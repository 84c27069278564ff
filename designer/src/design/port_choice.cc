// SPDX-License-Identifier: GPL-3.0-or-later
#include "design/port_choice.h"

#include <algorithm>

#include "design/link_speeds.h"

namespace fnn {
namespace {

/// The speed of a NIC is its kind, where limits are by speed.
int speed_of(const Limits& limits, int nic) { return limits.nics[Limits::at(nic)].kind; }

/// The free group of a switch for a NIC, or kDummy.
int choose_group(const Wiring& wiring, int nic, int device) {
  const Limits& limits = wiring.limits();
  const int wanted = speed_of(limits, nic);
  int best = kDummy;
  for (const int group : limits.groups_by_media[Limits::at(wiring.media(nic))]) {
    if (wiring.device_of(group) != device || !wiring.can_plug(nic, group)) continue;
    const int mbps = limits.groups[Limits::at(group)].port_mbps;
    const int best_mbps = best == kDummy ? 0 : limits.groups[Limits::at(best)].port_mbps;
    const bool better = best_mbps < wanted ? mbps > best_mbps : mbps >= wanted && mbps < best_mbps;
    if (best == kDummy || better) best = group;
  }
  return best;
}

}  // namespace

Cabling cables_of(const Wiring& wiring) {
  const Limits& limits = wiring.limits();
  Cabling cabling(Limits::at(limits.node_count()));
  for (int nic = 0; nic < static_cast<int>(limits.nics.size()); ++nic) {
    const int group = wiring.group(nic);
    if (group == kDummy) continue;
    const int node = wiring.node(nic);
    cabling[Limits::at(node)].push_back({nic - limits.first_nic[Limits::at(node)], wiring.device(nic),
                                         limits.groups[Limits::at(group)].port_mbps});
  }
  return cabling;
}

Wiring placed_on_ports(const Cabling& cabling, const Limits& limits) {
  struct Loose {
    int nic;
    int device;
  };
  Wiring wiring(limits);
  std::vector<Loose> loose;
  for (std::size_t node = 0; node < cabling.size(); ++node) {
    for (const Cable& cable : cabling[node]) {
      const int nic = limits.first_nic[node] + cable.nic;
      const std::vector<int>& groups = limits.groups_by_media[Limits::at(wiring.media(nic))];
      const auto stated = std::find_if(groups.begin(), groups.end(), [&](int group) {
        const Group& ports = limits.groups[Limits::at(group)];
        return ports.device == cable.device && ports.port_mbps == cable.port_mbps && wiring.can_plug(nic, group);
      });
      if (stated == groups.end()) loose.push_back({nic, cable.device});
      else wiring.plug(nic, *stated);
    }
  }
  std::stable_sort(loose.begin(), loose.end(), [&](const Loose& a, const Loose& b) {
    return speed_of(limits, a.nic) > speed_of(limits, b.nic);
  });
  for (const Loose& one : loose) {
    const int group = choose_group(wiring, one.nic, one.device);
    if (group != kDummy) wiring.plug(one.nic, group);
  }
  return wiring;
}

Cabling on_ports(const Cabling& cabling, const Spec& spec) {
  if (!LinkSpeeds(spec).differ()) return cabling;
  const Limits limits(spec, Grouping::kBySpeed);
  return cables_of(placed_on_ports(cabling, limits));
}

Wiring without_idle_speed(const Wiring& wiring) {
  const Limits& limits = wiring.limits();
  Cabling cabling = cables_of(wiring);
  for (std::size_t node = 0; node < cabling.size(); ++node) {
    for (Cable& cable : cabling[node]) {
      if (cable.port_mbps >= speed_of(limits, limits.first_nic[node] + cable.nic)) cable.port_mbps = 0;
    }
  }
  return placed_on_ports(cabling, limits);
}

}  // namespace fnn
