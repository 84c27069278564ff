// SPDX-License-Identifier: GPL-3.0-or-later
#include "export/cables.h"

#include <map>

#include "design/link_speeds.h"

namespace fnn {
namespace {

std::string port_name(int number) { return "swp" + std::to_string(number); }

std::string nic_name(const Json& node, int nic) {
  const Json& nics = node["nics"];
  const Json name = nics.is_array() ? nics[static_cast<std::size_t>(nic)]["name"] : Json(nullptr);
  return name.is_null() ? "eth" + std::to_string(nic) : name.get<std::string>();
}

}  // namespace

std::vector<PluggedCable> plugged_cables(const Design& design) {
  const Spec& spec = design.spec;
  const LinkSpeeds speeds(spec);
  std::map<std::string, int> numbers;
  for (const Switch& device : spec.switches) numbers.emplace(device.name, static_cast<int>(numbers.size()));
  std::vector<int> used(spec.switches.size(), 0);
  std::vector<PluggedCable> cables;
  for (std::size_t rank = 0; rank < spec.nodes.size(); ++rank) {
    for (const Json& link : design.document["nodes"][rank]["links"]) {
      const std::string name = link["switch"];
      const int device = numbers.at(name);
      const int nic = link["nic"].get<int>();
      const auto place = static_cast<std::size_t>(device);
      cables.push_back({spec.nodes[rank].name, nic_name(spec.normal["nodes"][rank], nic), name, port_name(++used[place]),
                        spec.normal["switches"][place]["color"], nic, 
                        speeds.mbps(spec.nodes[rank], nic, device, link.value("port_mbps", 0))});
    }
  }
  const Json& uplink = spec.normal["uplink"];
  int uplink_ports = 0;
  for (std::size_t place = 0; place < spec.switches.size() && !uplink.is_null(); ++place) {
    if (spec.switches[place].reserved == 0) continue;
    cables.push_back({spec.switches[place].name, port_name(++used[place]), uplink["name"], port_name(++uplink_ports),
                      spec.normal["switches"][place]["color"], -1, 0});
  }
  return cables;
}

std::vector<std::string> all_switches(const Design& design) {
  std::vector<std::string> names;
  for (const Switch& device : design.spec.switches) names.push_back(device.name);
  const Json& uplink = design.spec.normal["uplink"];
  if (!uplink.is_null()) names.push_back(uplink["name"]);
  return names;
}

}  // namespace fnn
