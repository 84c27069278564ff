// SPDX-License-Identifier: GPL-3.0-or-later
#include "spec/tree_places.h"

#include <algorithm>
#include <functional>
#include <map>

namespace fnn {
namespace {

using std::size_t;

/// Depth-first order of the switches along the trunks, from the first switch.
std::vector<size_t> order_of_switches(const std::vector<Trunk>& trunks, size_t switches) {
  std::vector<std::vector<size_t>> joined(switches);
  for (const Trunk& trunk : trunks) {
    joined[trunk.a].push_back(trunk.b);
    joined[trunk.b].push_back(trunk.a);
  }
  std::vector<size_t> order;
  std::vector<bool> seen(switches, false);
  const std::function<void(size_t)> visit = [&](size_t device) {
    seen[device] = true;
    order.push_back(device);
    for (const size_t next : joined[device]) {
      if (!seen[next]) visit(next);
    }
  };
  visit(0);
  return order;
}

/// The number of nodes on each switch: each goes to the switch with the fewest of those that have a port left.
std::vector<size_t> spread(size_t nodes, const std::vector<int>& capacity, const std::vector<size_t>& order) {
  std::vector<size_t> counts(capacity.size(), 0);
  const auto has_room = [&](size_t device) { return counts[device] < static_cast<size_t>(capacity[device]); };
  for (size_t node = 0; node < nodes; ++node) {
    const auto fewer = [&](size_t a, size_t b) {
      return has_room(a) != has_room(b) ? has_room(a) : counts[a] < counts[b];
    };
    ++counts[*std::min_element(order.begin(), order.end(), fewer)];
  }
  return counts;
}

}  // namespace

std::vector<Trunk> trunks_of(const Json& spec) {
  std::map<std::string, size_t> index;
  for (const Json& device : spec["switches"]) index.emplace(device["name"], index.size());
  std::vector<Trunk> trunks;
  for (const Json& trunk : spec.value("trunks", Json::array())) {
    trunks.push_back({index.at(trunk["a"]), index.at(trunk["b"]), trunk["count"]});
  }
  return trunks;
}

std::vector<int> trunk_ports(const std::vector<Trunk>& trunks, size_t switches) {
  std::vector<int> ports(switches, 0);
  for (const Trunk& trunk : trunks) {
    ports[trunk.a] += trunk.count;
    ports[trunk.b] += trunk.count;
  }
  return ports;
}

int ports_for_nodes(const Json& device, int trunks, const std::string& media) {
  std::vector<Json> groups(device["ports"].begin(), device["ports"].end());
  std::stable_sort(groups.begin(), groups.end(),
                   [](const Json& a, const Json& b) { return a["speed_mbps"] > b["speed_mbps"]; });
  int all = -device["reserved"].get<int>() - trunks;
  int fitting = 0;
  int left = trunks;
  for (const Json& group : groups) {
    const int count = group["count"];
    const int taken = std::min(left, count);
    left -= taken;
    all += count;
    if (group["media"] == media) fitting += count - taken;
  }
  return std::max(0, std::min(all, fitting));
}

std::vector<size_t> places_of_nodes(const Json& spec) {
  const Json& switches = spec["switches"];
  const std::vector<Trunk> trunks = trunks_of(spec);
  const std::vector<int> taken = trunk_ports(trunks, switches.size());
  const std::string media = spec["nodes"][0]["nics"][0]["media"];
  std::vector<int> capacity;
  for (size_t i = 0; i < switches.size(); ++i) capacity.push_back(ports_for_nodes(switches[i], taken[i], media));
  const std::vector<size_t> order = order_of_switches(trunks, switches.size());
  const std::vector<size_t> counts = spread(spec["nodes"].size(), capacity, order);
  std::vector<size_t> places;
  for (const size_t device : order) places.insert(places.end(), counts[device], device);
  return places;
}

}  // namespace fnn
