// SPDX-License-Identifier: GPL-3.0-or-later
#include "export/wiring_facts.h"

#include <map>
#include <set>
#include <utility>

#include "export/speed_facts.h"

namespace fnn {
namespace {

Json trunks_of_design(const Json& design) { return design.value("trunks", Json::array()); }

Json switch_facts(const Json& design, const Spec& spec) {
  std::map<std::string, int> trunk_ports;
  for (const Json& trunk : trunks_of_design(design)) {
    for (const char* end : {"a", "b"}) trunk_ports[trunk[end].get<std::string>()] += trunk["count"].get<int>();
  }
  Json facts = Json::array();
  for (std::size_t i = 0; i < spec.switches.size(); ++i) {
    const Switch& device = spec.switches[i];
    const Json& nodes = design["switches"][i]["nodes"];
    const bool joined = !spec.normal.value("uplink", Json()).is_null() && device.reserved > 0;
    const int uplink = joined ? 1 : 0;
    facts.push_back({{"name", device.name},
                     {"color", spec.normal["switches"][i]["color"]},
                     {"ports", device.all_ports()},
                     {"used", nodes.size()},
                     {"uplink", uplink},
                     {"trunks", trunk_ports[device.name]},
                     {"reserved", device.reserved - uplink},
                     {"nodes", nodes}});
  }
  return facts;
}

/// null without an uplink switch.
Json uplink_facts(const Json& switches, const Json& uplink) {
  if (uplink.is_null()) return nullptr;
  Json joined = Json::array();
  for (const Json& device : switches) {
    if (device["uplink"] == 1) joined.push_back(device["name"]);
  }
  for (const char* list : {"spares", "hosts"}) {
    for (const Json& name : uplink[list]) joined.push_back(name);
  }
  return {{"name", uplink["name"]}, {"ports", uplink["ports"]}, {"used", joined.size()}, {"joined", joined}};
}

/// Where each NIC of one node goes. `nics`: those of each node of the spec, by its name.
Json nic_facts(const Json& node, const std::map<std::string, const Json*>& nics) {
  Json facts = Json::array();
  for (const Json& nic : *nics.at(node["name"])) facts.push_back({{"name", nic["name"]}, {"to", nullptr}});
  for (const Json& link : node["links"]) {
    Json& nic = facts[link["nic"].get<std::size_t>()];
    if (link.contains("switch")) {
      nic["to"] = link["switch"];
      if (link.contains("port_mbps")) nic["port_mbps"] = link["port_mbps"];
      continue;
    }
    const Json& peer = link["peer"];
    const Json& name = (*nics.at(peer["node"]))[peer["nic"].get<std::size_t>()]["name"];
    nic["to"] = peer["node"];
    nic["peer_nic"] = name.is_null() ? peer["nic"] : name;
  }
  return facts;
}

}  // namespace

Json wiring_facts(const Json& design, const Spec& spec) {
  std::map<std::string, const Json*> nics;
  std::set<std::size_t> nic_counts;
  for (const Json& node : spec.normal["nodes"]) {
    nics.emplace(node["name"], &node["nics"]);
    nic_counts.insert(node["nics"].size());
  }
  Json wiring = Json::array();
  std::size_t ends = 0;
  for (const Json& node : design["nodes"]) {
    wiring.push_back({{"node", node["name"]}, {"nics", nic_facts(node, nics)}});
    ends += node["links"].size();
  }
  const Json switches = switch_facts(design, spec);
  Json facts = {{"cluster", spec.cluster},
                {"topology", spec.normal["topology"]},
                {"mode", spec.normal.value("mode", Json())},
                {"nodes", spec.nodes.size()},
                {"nics", nic_counts},
                {"cables", spec.switches.empty() ? ends / 2 : ends},
                {"redundancy", spec.normal.value("redundancy", 1)},
                {"switches", switches},
                {"uplink", uplink_facts(switches, spec.normal.value("uplink", Json()))},
                {"trunks", trunks_of_design(design)},
                {"uncovered", design["uncovered"]},
                {"wiring", wiring}};
  if (Json speeds = speed_facts(design, spec); !speeds.is_null()) facts["speeds"] = std::move(speeds);
  return facts;
}

}  // namespace fnn
