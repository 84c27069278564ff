// SPDX-License-Identifier: GPL-3.0-or-later
#include "topology/topology_design.h"

#include <map>

#include "base/digest.h"
#include "spec/direct_cables.h"
#include "spec/tree_places.h"
#include "version.h"

namespace fnn {
namespace {

using std::size_t;

Json end_of_cable(const Json& spec, size_t node, size_t nic) {
  return {{"node", spec["nodes"][node]["name"]}, {"nic", nic}};
}

/// Per node, its links by NIC.
using NodeLinks = std::vector<std::map<size_t, Json>>;

NodeLinks links_to_switches(const Json& spec, const std::vector<size_t>& places) {
  NodeLinks links(places.size());
  for (size_t node = 0; node < places.size(); ++node) {
    links[node][0] = {{"nic", 0}, {"switch", spec["switches"][places[node]]["name"]}};
  }
  return links;
}

NodeLinks links_to_peers(const Json& spec, const std::vector<DirectCable>& cables) {
  NodeLinks links(spec["nodes"].size());
  for (const DirectCable& cable : cables) {
    links[cable.a][cable.nic_a] = {{"nic", cable.nic_a}, {"peer", end_of_cable(spec, cable.b, cable.nic_b)}};
    links[cable.b][cable.nic_b] = {{"nic", cable.nic_b}, {"peer", end_of_cable(spec, cable.a, cable.nic_a)}};
  }
  return links;
}

Json nodes_of(const Json& spec, const NodeLinks& links) {
  Json nodes = Json::array();
  for (size_t i = 0; i < links.size(); ++i) {
    Json listed = Json::array();
    for (const auto& [nic, link] : links[i]) listed.push_back(link);
    nodes.push_back({{"name", spec["nodes"][i]["name"]}, {"links", listed}});
  }
  return nodes;
}

Json switches_of(const Json& spec, const std::vector<size_t>& places) {
  Json switches = Json::array();
  for (const Json& device : spec["switches"]) switches.push_back({{"name", device["name"]}, {"nodes", Json::array()}});
  for (size_t node = 0; node < places.size(); ++node) {
    switches[places[node]]["nodes"].push_back(spec["nodes"][node]["name"]);
  }
  return switches;
}

/// All used NICs in rank order.
Json all_ends(const Json& spec, const NodeLinks& links) {
  Json members = Json::array();
  for (size_t node = 0; node < links.size(); ++node) {
    for (const auto& [nic, link] : links[node]) members.push_back(end_of_cable(spec, node, nic));
  }
  return members;
}

Json segments_of(const Json& spec, const NodeLinks& links, const std::vector<DirectCable>& cables) {
  const std::string topology = spec["topology"];
  if (cables.empty() || spec.value("mode", "routed") != "routed") {
    return Json::array({{{"name", topology}, {"members", all_ends(spec, links)}}});
  }
  Json segments = Json::array();
  for (const DirectCable& cable : cables) {
    segments.push_back({{"name", "cable" + std::to_string(segments.size())},
                        {"members", {end_of_cable(spec, cable.a, cable.nic_a), end_of_cable(spec, cable.b, cable.nic_b)}}});
  }
  return segments;
}

Json quality_of(const Json& spec, const NodeLinks& links, size_t cables) {
  const auto nodes = static_cast<std::int64_t>(spec["nodes"].size());
  std::int64_t nics = 0;
  std::int64_t used = 0;
  for (size_t i = 0; i < links.size(); ++i) {
    nics += static_cast<std::int64_t>(spec["nodes"][i]["nics"].size());
    used += static_cast<std::int64_t>(links[i].size());
  }
  Json quality = {{"pairs", nodes * (nodes - 1) / 2}, {"links", cables}, {"unused_nics", nics - used}};
  if (spec["switches"].empty()) return quality;
  std::int64_t ports = -used;
  for (const Json& device : spec["switches"]) {
    for (const Json& group : device["ports"]) ports += group["count"].get<std::int64_t>();
  }
  quality["unused_ports"] = ports - 2 * static_cast<std::int64_t>(cables - static_cast<size_t>(used));
  return quality;
}

}  // namespace

Json topology_design(const Spec& spec, std::int64_t seed) {
  const Json& normal = spec.normal;
  const std::vector<DirectCable> cables = direct_cables(normal["topology"], spec.nodes.size());
  const std::vector<size_t> places = cables.empty() ? places_of_nodes(normal) : std::vector<size_t>{};
  const NodeLinks links = cables.empty() ? links_to_switches(normal, places) : links_to_peers(normal, cables);
  const size_t joined = cables.empty() ? places.size() + tree_ports(normal).cables.size() : cables.size();
  Json design = {{"format", "fnn-design"},
                 {"version", 1},
                 {"cluster", spec.cluster},
                 {"spec", normal},
                 {"spec_digest", digest(normal)},
                 {"engine", kEngine},
                 {"seed", seed},
                 {"verdict", "found"},
                 {"nodes", nodes_of(normal, links)},
                 {"switches", switches_of(normal, places)},
                 {"segments", segments_of(normal, links, cables)},
                 {"uncovered", Json::array()},
                 {"quality", quality_of(normal, links, joined)},
                 {"bounds", Json::object()}};
  if (normal.contains("trunks")) design["trunks"] = normal["trunks"];
  return design;
}

}  // namespace fnn
