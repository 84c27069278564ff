// SPDX-License-Identifier: GPL-3.0-or-later
#include "design/design_document.h"

#include <utility>

#include "base/digest.h"
#include "design/quality.h"
#include "design/shared_switches.h"
#include "spec/demand.h"
#include "version.h"

namespace fnn {
namespace {

Json nodes_of(const Spec& spec, const Cabling& cabling) {
  Json nodes = Json::array();
  for (std::size_t i = 0; i < spec.nodes.size(); ++i) {
    Json links = Json::array();
    for (const Cable& cable : cabling[i]) {
      links.push_back({{"nic", cable.nic}, {"switch", spec.switches[Limits::at(cable.device)].name}});
      if (cable.port_mbps > 0) links.back()["port_mbps"] = cable.port_mbps;
    }
    nodes.push_back({{"name", spec.nodes[i].name}, {"links", links}});
  }
  return nodes;
}

Json switches_of(const Spec& spec, const Cabling& cabling) {
  std::vector<Json> members(spec.switches.size(), Json::array());
  for (std::size_t i = 0; i < cabling.size(); ++i) {
    for (const Cable& cable : cabling[i]) members[Limits::at(cable.device)].push_back(spec.nodes[i].name);
  }
  Json switches = Json::array();
  for (std::size_t j = 0; j < spec.switches.size(); ++j) {
    switches.push_back({{"name", spec.switches[j].name}, {"nodes", members[j]}});
  }
  return switches;
}

/// Pairs that must share switches and share too few.
Json uncovered_of(const Spec& spec, const Cabling& cabling, const Demand& demand) {
  Json uncovered = Json::array();
  SharedSwitches(cabling, spec.switches.size()).for_each_pair([&](std::size_t a, std::size_t b, int shared) {
    if (shared < demand.redundancy() && demand.wants(a, b)) uncovered.push_back({spec.nodes[a].name, spec.nodes[b].name});
  });
  return uncovered;
}

}  // namespace

Json design_document(const Spec& spec, const Cabling& cabling, std::int64_t seed, const std::vector<Bound>& bounds,
                     const std::optional<Moves>& moves) {
  const Demand demand(spec);
  Json uncovered = uncovered_of(spec, cabling, demand);
  Json checked = Json::object();
  for (const Bound& bound : bounds) checked[bound.name] = {{"needed", bound.needed}, {"available", bound.available}};
  const bool found = uncovered.empty();
  return {{"format", "fnn-design"},
          {"version", 1},
          {"cluster", spec.cluster},
          {"spec", spec.normal},
          {"spec_digest", digest(spec.normal)},
          {"engine", kEngine},
          {"seed", seed},
          {"verdict", found ? "found" : "not-found"},
          {"nodes", nodes_of(spec, cabling)},
          {"switches", switches_of(spec, cabling)},
          {"uncovered", std::move(uncovered)},  // most of a large document without success
          {"quality", quality_of(spec, cabling, demand, moves)},
          {"bounds", checked}};
}

}  // namespace fnn
