// SPDX-License-Identifier: GPL-3.0-or-later
#include "program/headroom.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "base/problem.h"

namespace fnn {
namespace {

/// The first node of the most common kind.
std::size_t most_common_node(const Spec& spec) {
  std::map<std::string, int> counts;
  for (const Node& node : spec.nodes) ++counts[node.kind];
  std::size_t best = 0;
  for (std::size_t i = 0; i < spec.nodes.size(); ++i) {
    if (counts[spec.nodes[i].kind] > counts[spec.nodes[best].kind]) best = i;
  }
  return best;
}

std::set<std::string> names_in(const Json& normal) {
  std::set<std::string> names;
  for (const Json& node : normal["nodes"]) names.insert(node["name"]);
  for (const Json& device : normal["switches"]) names.insert(device["name"]);
  if (normal["uplink"].is_null()) return names;
  names.insert(normal["uplink"]["name"]);
  for (const char* list : {"spares", "hosts"}) {
    for (const Json& name : normal["uplink"][list]) names.insert(name);
  }
  return names;
}

int shared_switches(const std::vector<Cable>& one, const std::vector<Cable>& other) {
  return static_cast<int>(std::count_if(one.begin(), one.end(), [&](const Cable& cable) {
    return std::any_of(other.begin(), other.end(), [&](const Cable& peer) { return peer.device == cable.device; });
  }));
}

}  // namespace

Spec with_headroom(const Spec& spec, int more) {
  if (!spec.normal["patterns"].empty()) {
    const std::string message =
        "headroom requires a spec without patterns, which do not define the traffic of future nodes";
    throw BadInput(std::vector<Problem>{{"/patterns", message}});
  }
  if (static_cast<int>(spec.nodes.size()) > kMostSpecNodes - more) {
    const std::string message = counted(static_cast<long long>(spec.nodes.size()), "node") + " and " +
                                std::to_string(more) + " more are too many, a spec has at most " +
                                std::to_string(kMostSpecNodes) + " nodes";
    throw BadInput(std::vector<Problem>{{"--headroom", message}});
  }
  Json normal = spec.normal;
  Json node = normal["nodes"][most_common_node(spec)];
  const std::set<std::string> taken = names_in(normal);
  for (int number = 0; more > 0; ++number) {
    const std::string name = "later" + std::to_string(number);
    if (taken.contains(name)) continue;
    node["name"] = name;
    normal["nodes"].push_back(node);
    --more;
  }
  return read_spec(normal);
}

int remove_future_nodes(Cabling& cabling, const Spec& spec) {
  const auto enough = spec.normal["redundancy"].get<int>();
  Cabling fitting(cabling.begin(), cabling.begin() + static_cast<std::ptrdiff_t>(spec.nodes.size()));
  int headroom = 0;
  for (std::size_t later = spec.nodes.size(); later < cabling.size(); ++later) {
    const bool fits = std::all_of(fitting.begin(), fitting.end(), [&](const std::vector<Cable>& other) {
      return shared_switches(cabling[later], other) >= enough;
    });
    if (!fits) continue;
    fitting.push_back(cabling[later]);
    ++headroom;
  }
  cabling.resize(spec.nodes.size());
  return headroom;
}

}  // namespace fnn
