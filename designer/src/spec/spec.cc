// SPDX-License-Identifier: GPL-3.0-or-later
#include "spec/spec.h"

#include <filesystem>
#include <map>
#include <numeric>

#include "spec/contradictions.h"
#include "spec/media.h"
#include "spec/normal_form.h"
#include "spec/pattern_reading.h"
#include "spec/spec_shape.h"

namespace fnn {
namespace {

// Limit of this engine: it uses two bytes per ordered pair of nodes on each of its islands.
constexpr std::size_t kMostNodesHere = 8192;

/// All properties of a node or a switch that matter to the search, without its names and color.
std::string kind_of(Json item) {
  item.erase("name");
  item.erase("color");
  if (item.contains("nics")) {
    for (Json& nic : item["nics"]) {
      nic.erase("name");
      nic.erase("twin");
    }
  }
  return compact(item);
}

template <class Value>
std::optional<Value> given(const Json& value) {
  return value.is_null() ? std::nullopt : std::optional<Value>(value.get<Value>());
}

using Ranks = std::map<std::string, int>;

template <class Items>
Ranks ranks_of(const Items& items) {
  Ranks ranks;
  for (const auto& item : items) ranks.emplace(item.name, static_cast<int>(ranks.size()));
  return ranks;
}

/// A pinned cable makes the kinds of its node and its switch unique.
void add_pins(const Json& pins, Spec& spec) {
  const Ranks nodes = ranks_of(spec.nodes);
  const Ranks switches = ranks_of(spec.switches);
  for (const Json& pin : pins) {
    spec.pins.push_back({nodes.at(pin["node"]), pin["nic"], switches.at(pin["switch"])});
    Node& node = spec.nodes[static_cast<std::size_t>(spec.pins.back().node)];
    Switch& device = spec.switches[static_cast<std::size_t>(spec.pins.back().device)];
    node.kind = node.name;
    device.kind = device.name;
  }
}

/// Whether nodes of a kind are distinguishable, because pairs of nodes differ in coverage or weight.
bool distinguishes_pairs(const Json& normal) {
  const Json& goals = normal["goals"];
  return normal["coverage"] == "patterns" || goals.contains("evaluation") ||
         (!goals.empty() && !normal["patterns"].empty());
}

Spec spec_of(Json normal) {
  Spec spec;
  spec.cluster = normal["cluster"];
  for (const Json& node : normal["nodes"]) {
    std::vector<std::string> media;
    std::vector<int> mbps;
    for (const Json& nic : node["nics"]) {
      media.push_back(media_family(nic["media"]));
      mbps.push_back(nic["speed_mbps"]);
    }
    spec.nodes.push_back(
        {node["name"], std::move(media), std::move(mbps), given<std::string>(node["rack"]), kind_of(node)});
  }
  for (const Json& device : normal["switches"]) {
    std::vector<PortGroup> ports;
    for (const Json& group : device["ports"]) {
      ports.push_back({group["count"], media_family(group["media"]), group["speed_mbps"]});
    }
    spec.switches.push_back({device["name"], std::move(ports), device["reserved"], given<double>(device["price"]),
                             given<std::string>(device["rack"]), kind_of(device)});
  }
  if (distinguishes_pairs(normal)) {
    for (Node& node : spec.nodes) node.kind = node.name;
  }
  if (normal.contains("pinned")) add_pins(normal["pinned"], spec);
  if (normal.contains("racks")) {
    for (const Json& rack : normal["racks"]) spec.racks.push_back({rack["name"], rack["x_m"], rack["y_m"]});
  }
  if (normal.contains("maintenance")) {
    spec.maintenance = std::move(normal["maintenance"]);
    normal.erase("maintenance");
  }
  spec.normal = std::move(normal);
  return spec;
}

}  // namespace

int Switch::all_ports() const {
  return std::accumulate(ports.begin(), ports.end(), 0,
                         [](int sum, const PortGroup& group) { return sum + group.count; });
}

Spec read_spec(const Json& document, const std::string& at, const std::optional<std::string>& directory) {
  Problems structure;
  spec_shape()(document, at, structure);
  if (!structure.empty()) throw BadInput(structure.sorted());

  Json normal = normal_form(document);
  Problems meaning;
  find_contradictions(normal, at, meaning);
  normalize_patterns(normal, at, directory, meaning);
  if (!meaning.empty()) throw BadInput(meaning.sorted());
  return spec_of(std::move(normal));
}

Spec read_spec_file(const std::string& path) {
  return read_spec(read_json(path), "", std::filesystem::path(path).parent_path().string());
}

void require_supported(const Spec& spec) {
  Problems problems;
  if (spec.nodes.size() > kMostNodesHere) {
    problems.add("/nodes", std::to_string(spec.nodes.size()) + " nodes are more than this engine supports, " +
                               std::to_string(kMostNodesHere));
  }
  if (!problems.empty()) throw BadInput(problems.sorted());
}

}  // namespace fnn
