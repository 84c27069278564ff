// SPDX-License-Identifier: GPL-3.0-or-later
#include "routing/legs.h"

#include <algorithm>
#include <map>
#include <string>

#include "design/link_speeds.h"

namespace fnn {

Legs legs_of(const Design& design) {
  std::map<std::string, int> switches;
  for (const Switch& device : design.spec.switches) switches.emplace(device.name, static_cast<int>(switches.size()));
  std::map<std::string, std::size_t> ranks;
  for (const Node& node : design.spec.nodes) ranks.emplace(node.name, ranks.size());
  const LinkSpeeds speeds(design.spec);
  Legs legs(design.spec.nodes.size());
  for (const Json& node : design.document["nodes"]) {
    const std::size_t rank = ranks.at(node["name"].get<std::string>());
    for (const Json& link : node["links"]) {
      const int device = switches.at(link["switch"].get<std::string>());
      legs[rank].push_back({device, speeds.mbps(design.spec.nodes[rank], link["nic"].get<int>(), device)});
    }
    std::sort(legs[rank].begin(), legs[rank].end(), [](const Leg& a, const Leg& b) { return a.device < b.device; });
  }
  return legs;
}

}  // namespace fnn
