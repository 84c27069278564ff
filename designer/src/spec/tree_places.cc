// SPDX-License-Identifier: GPL-3.0-or-later
#include "spec/tree_places.h"

#include <algorithm>
#include <functional>
#include <map>

#include "spec/media.h"

namespace fnn {
namespace {

using std::size_t;

/// Free ports of one switch: family of media and speed -> number.
using FreePorts = std::map<std::pair<std::string, int>, int>;

std::map<std::string, size_t> indexes_of_switches(const Json& spec) {
  std::map<std::string, size_t> indexes;
  for (const Json& device : spec["switches"]) indexes.emplace(device["name"], indexes.size());
  return indexes;
}

std::vector<FreePorts> free_ports(const Json& spec) {
  std::vector<FreePorts> all;
  for (const Json& device : spec["switches"]) {
    FreePorts& ports = all.emplace_back();
    for (const Json& group : device["ports"]) {
      ports[{media_family(group["media"]), group["speed_mbps"]}] += group["count"].get<int>();
    }
  }
  return all;
}

/// Takes the fastest free port of a medium; its speed, or 0 without any.
int take_fastest(FreePorts& ports, const std::string& media) {
  int fastest = 0;
  for (const auto& [port, count] : ports) {
    if (port.first == media && count > 0) fastest = std::max(fastest, port.second);
  }
  if (fastest > 0) --ports[{media, fastest}];
  return fastest;
}

/// Takes a port at both ends for one cable: of the medium that gives the highest speed. 0 without such a medium.
int take_cable(FreePorts& a, FreePorts& b) {
  std::pair<int, std::string> best{0, ""};
  for (const auto& [port, count] : a) {
    FreePorts one = a;
    FreePorts other = b;
    const int mbps = std::min(take_fastest(one, port.first), take_fastest(other, port.first));
    if (mbps > best.first) best = {mbps, port.first};
  }
  if (best.first == 0) return 0;
  return std::min(take_fastest(a, best.second), take_fastest(b, best.second));
}

/// Depth-first order of the switches along the trunks, from the first switch.
std::vector<size_t> order_of_switches(const std::vector<TrunkCable>& cables, size_t switches) {
  std::vector<std::vector<size_t>> joined(switches);
  for (const TrunkCable& cable : cables) {
    joined[cable.a].push_back(cable.b);
    joined[cable.b].push_back(cable.a);
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

TreePorts tree_ports(const Json& spec) {
  TreePorts ports;
  std::vector<FreePorts> left = free_ports(spec);
  const std::map<std::string, size_t> index = indexes_of_switches(spec);
  const Json trunks = spec.value("trunks", Json::array());
  for (size_t i = 0; i < trunks.size(); ++i) {
    const size_t a = index.at(trunks[i]["a"]);
    const size_t b = index.at(trunks[i]["b"]);
    for (int cable = 0; cable < trunks[i]["count"].get<int>(); ++cable) {
      const int mbps = take_cable(left[a], left[b]);
      if (mbps == 0) {
        ports.unfit.push_back(i);
        break;
      }
      ports.cables.push_back({a, b, mbps});
    }
  }
  for (size_t i = 0; i < left.size(); ++i) {
    std::map<std::string, int>& for_nodes = ports.for_nodes.emplace_back();
    int all = -spec["switches"][i]["reserved"].get<int>();
    for (const auto& [port, count] : left[i]) {
      all += count;
      for_nodes[port.first] += count;
    }
    for (auto& [media, count] : for_nodes) count = std::max(0, std::min(count, all));
  }
  return ports;
}

std::vector<size_t> places_of_nodes(const Json& spec) {
  const TreePorts ports = tree_ports(spec);
  const std::string media = media_family(spec["nodes"][0]["nics"][0]["media"]);
  std::vector<int> capacity;
  for (const std::map<std::string, int>& of_switch : ports.for_nodes) {
    const auto found = of_switch.find(media);
    capacity.push_back(found == of_switch.end() ? 0 : found->second);
  }
  const std::vector<size_t> order = order_of_switches(ports.cables, capacity.size());
  const std::vector<size_t> counts = spread(spec["nodes"].size(), capacity, order);
  std::vector<size_t> places;
  for (const size_t device : order) places.insert(places.end(), counts[device], device);
  return places;
}

}  // namespace fnn
