// SPDX-License-Identifier: GPL-3.0-or-later
#include "design/standing.h"

#include <algorithm>
#include <map>
#include <string>

#include "design/pins.h"

namespace fnn {
namespace {

template <typename Items>
std::map<std::string, int> numbered(const Items& items) {
  std::map<std::string, int> numbers;
  for (const auto& item : items) numbers.emplace(item.name, static_cast<int>(numbers.size()));
  return numbers;
}

/// The old cables with both ends in the new spec, without regard to free ports.
Cabling surviving_cables(const Design& old, const Spec& spec, const Limits& limits) {
  const auto nodes = numbered(spec.nodes);
  const auto switches = numbered(spec.switches);
  Cabling cabling(spec.nodes.size());
  for (const Json& old_node : old.document["nodes"]) {
    const auto node = nodes.find(old_node["name"].get<std::string>());
    if (node == nodes.end()) continue;
    for (const Json& link : old_node["links"]) {
      const auto device = switches.find(link["switch"].get<std::string>());
      const auto index = link["nic"].get<std::int64_t>();
      if (device == switches.end() || index >= limits.nic_count(node->second)) continue;
      const int nic = limits.first_nic[Limits::at(node->second)] + static_cast<int>(index);
      if (limits.group_of(device->second, limits.nics[Limits::at(nic)].media) == kDummy) continue;
      cabling[Limits::at(node->second)].push_back({static_cast<int>(index), device->second, link.value("port_mbps", 0)});
    }
  }
  for (auto& cables : cabling) std::sort(cables.begin(), cables.end());
  return cabling;
}

}  // namespace

Cabling Standing::cables_to_keep() const { return with_pins(pinned, cabling); }

Standing map_standing_cables(const Design& old, const Spec& spec, const Limits& limits) {
  Standing standing{surviving_cables(old, spec, limits), pins_of(spec), Wiring(limits)};
  plug_cables(standing.wiring, standing.pinned);
  plug_cables(standing.wiring, standing.cables_to_keep());
  return standing;
}

}  // namespace fnn
