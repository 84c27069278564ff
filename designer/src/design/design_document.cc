// SPDX-License-Identifier: GPL-3.0-or-later
#include "design/design_document.h"

#include <map>
#include <numeric>

#include "base/digest.h"
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

/// Calls visit(a, b, shared switches) for every pair of nodes.
template <typename Visit>
void for_each_pair(const Spec& spec, const Cabling& cabling, Visit visit) {
  BitRows on(cabling.size(), spec.switches.size());
  for (std::size_t i = 0; i < cabling.size(); ++i) {
    for (const Cable& cable : cabling[i]) on.insert(i, Limits::at(cable.device));
  }
  for (std::size_t a = 0; a < cabling.size(); ++a) {
    for (std::size_t b = a + 1; b < cabling.size(); ++b) {
      int shared = 0;
      for (std::size_t w = 0; w < on.words(); ++w) shared += count_bits(on.row(a)[w] & on.row(b)[w]);
      visit(a, b, shared);
    }
  }
}

std::size_t count_links(const Cabling& cabling) {
  return std::accumulate(cabling.begin(), cabling.end(), std::size_t{0},
                         [](std::size_t sum, const auto& cables) { return sum + cables.size(); });
}

Json quality_of(const Spec& spec, const Cabling& cabling, const Demand& demand, std::size_t uncovered,
                const std::map<int, int>& pairs_sharing, const std::optional<Moves>& moves) {
  const std::size_t links = count_links(cabling);
  std::size_t nics = 0;
  for (const Node& node : spec.nodes) nics += node.nic_media.size();
  std::size_t ports = 0;
  for (const Switch& device : spec.switches) ports += Limits::at(device.usable_ports());
  Json shared = Json::object();
  for (const auto& [switches, pairs] : pairs_sharing) {
    if (switches > 0) shared[std::to_string(switches)] = pairs;
  }
  Json quality = {{"pairs", spec.nodes.size() * (spec.nodes.size() - 1) / 2},
                  {"uncovered", uncovered},
                  {"shared", shared},
                  {"links", links},
                  {"unused_nics", nics - links},
                  {"unused_ports", ports - links}};
  if (!demand.is_universal()) quality["wanted"] = demand.pairs();
  if (moves) {
    quality["kept_links"] = moves->kept;
    quality["moved_links"] = moves->moved;
  }
  return quality;
}

}  // namespace

Json design_document(const Spec& spec, const Cabling& cabling, std::int64_t seed, const std::vector<Bound>& bounds,
                     const std::optional<Moves>& moves) {
  const Demand demand(spec);
  Json uncovered = Json::array();
  std::map<int, int> pairs_sharing;
  for_each_pair(spec, cabling, [&](std::size_t a, std::size_t b, int shared) {
    ++pairs_sharing[shared];
    if (shared < demand.redundancy() && demand.wants(a, b)) uncovered.push_back({spec.nodes[a].name, spec.nodes[b].name});
  });
  Json checked = Json::object();
  for (const Bound& bound : bounds) checked[bound.name] = {{"needed", bound.needed}, {"available", bound.available}};
  return {{"format", "fnn-design"},
          {"version", 1},
          {"cluster", spec.cluster},
          {"spec", spec.normal},
          {"spec_digest", digest(spec.normal)},
          {"engine", kEngine},
          {"seed", seed},
          {"verdict", uncovered.empty() ? "found" : "not-found"},
          {"nodes", nodes_of(spec, cabling)},
          {"switches", switches_of(spec, cabling)},
          {"uncovered", uncovered},
          {"quality", quality_of(spec, cabling, demand, uncovered.size(), pairs_sharing, moves)},
          {"bounds", checked}};
}

}  // namespace fnn
