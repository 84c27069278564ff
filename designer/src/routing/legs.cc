// SPDX-License-Identifier: GPL-3.0-or-later
#include "routing/legs.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "base/units.h"
#include "design/link_speeds.h"
#include "design/shared_switches.h"

namespace fnn {

Legs legs_of(const Design& design) {
  std::map<std::string, int> switches;
  for (const Switch& device : design.spec.switches) switches.emplace(device.name, static_cast<int>(switches.size()));
  const LinkSpeeds speeds(design.spec);
  Legs legs(design.spec.nodes.size());
  for (std::size_t rank = 0; rank < legs.size(); ++rank) {
    for (const Json& link : design.document["nodes"][rank]["links"]) {
      const int device = switches.at(link["switch"].get<std::string>());
      legs[rank].push_back({device, speeds.mbps(design.spec.nodes[rank], link["nic"].get<int>(), device, link.value("port_mbps", 0))});
    }
    std::sort(legs[rank].begin(), legs[rank].end(), [](const Leg& a, const Leg& b) { return a.device < b.device; });
  }
  return legs;
}

std::vector<long long> inside_mbps_of(const Spec& spec) {
  std::vector<long long> inside;
  for (const Json& device : spec.normal["switches"]) {
    const Json& gbps = device["internal_gbps"];
    inside.push_back(gbps.is_null() ? kUnlimitedMbps : mbps_of_gbps(gbps.get<double>()));
  }
  return inside;
}

std::vector<SharedLeg> shared_legs(const std::vector<Leg>& from_legs, const std::vector<Leg>& to_legs) {
  std::vector<SharedLeg> shared;
  for_each_shared(from_legs, to_legs, [&](std::size_t a, std::size_t b) { shared.push_back({a, b}); });
  return shared;
}

}  // namespace fnn
