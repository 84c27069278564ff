// SPDX-License-Identifier: GPL-3.0-or-later
#include "topology/topology_network.h"

#include <algorithm>
#include <limits>
#include <map>

#include "base/units.h"
#include "spec/media.h"
#include "spec/tree_places.h"

namespace fnn {
namespace {

using std::size_t;

std::map<std::string, size_t> ranks_of(const Json& items) {
  std::map<std::string, size_t> ranks;
  for (const Json& each : items) ranks.emplace(each["name"], ranks.size());
  return ranks;
}

int mbps_of_nic(const Json& spec, size_t node, size_t nic) { return spec["nodes"][node]["nics"][nic]["speed_mbps"]; }

/// The speed of the slowest port of a medium, which counts for nodes.
int slowest_port(const Json& device, const Json& media) {
  int slowest = std::numeric_limits<int>::max();
  for (const Json& group : device["ports"]) {
    if (media_family(group["media"]) == media_family(media)) slowest = std::min(slowest, group["speed_mbps"].get<int>());
  }
  return slowest;
}

class NetworkBuilder {
 public:
  explicit NetworkBuilder(const Design& design)
      : document_(design.document), spec_(design.spec.normal), network_(spec_["nodes"].size()) {}

  TopologyNetwork build(std::uint64_t seed) {
    if (spec_["switches"].empty()) join_nodes();
    else join_switches();
    const std::string mode = spec_.value("mode", "");
    const auto last = static_cast<std::uint32_t>(network_.nodes() - 1);
    if (mode == "bonded") {
      network_.endpoint_only.assign(network_.nodes(), false);
      network_.endpoint_only[last] = true;
    }
    network_.finish();
    const RoutingChoice choice = choose_routing(mode);
    RoutedNetwork routed{network_, {}};
    const auto add_layer = [&](const std::vector<bool>& closed, size_t node) {
      routed.layers.push_back({choose_routes(network_, choice, seed, closed), node});
    };
    if (mode == "bonded") {
      const auto [one, other] = cables_of(last);
      add_layer(without_cables({other}), RoutedNetwork::kAllNodes);
      add_layer(without_cables({one}), last);
    } else if (mode == "stp") {
      add_layer(without_cables({network_.cables().size() - 1}), RoutedNetwork::kAllNodes);
    } else {
      add_layer({}, RoutedNetwork::kAllNodes);
    }
    return {std::move(routed), choice, slowest_};
  }

 private:
  RoutingChoice choose_routing(const std::string& mode) const {
    if (!spec_["switches"].empty()) return has_wide_trunk_ ? RoutingChoice::kDModK : RoutingChoice::kOnly;
    return mode == "routed" && spec_["topology"] == "ring" ? RoutingChoice::kBalanced : RoutingChoice::kOnly;
  }

  void join_nodes() {
    network_.nodes_forward = true;
    const std::map<std::string, size_t> ranks = ranks_of(spec_["nodes"]);
    for (size_t a = 0; a < network_.nodes(); ++a) {
      for (const Json& link : document_["nodes"][a]["links"]) {
        const size_t b = ranks.at(link["peer"]["node"]);
        // Each cable is listed at both ends.
        if (b > a) add_cable(a, b, std::min(mbps_of_nic(spec_, a, link["nic"]), mbps_of_nic(spec_, b, link["peer"]["nic"])));
      }
    }
  }

  void join_switches() {
    const Json& switches = spec_["switches"];
    std::vector<std::uint32_t> vertices;
    for (const Json& device : switches) vertices.push_back(network_.add_switch(inside_mbps(device)));
    const std::map<std::string, size_t> ranks = ranks_of(switches);
    for (size_t node = 0; node < network_.nodes(); ++node) {
      const Json& link = document_["nodes"][node]["links"][0];
      const size_t device = ranks.at(link["switch"]);
      const Json& nic = spec_["nodes"][node]["nics"][link["nic"].get<size_t>()];
      add_cable(node, vertices[device], std::min(nic["speed_mbps"].get<int>(), slowest_port(switches[device], nic["media"])));
    }
    for (const TrunkCable& cable : tree_ports(spec_).cables) network_.add_cable(vertices[cable.a], vertices[cable.b], cable.mbps);
    for (const Json& trunk : spec_["trunks"]) has_wide_trunk_ = has_wide_trunk_ || trunk["count"] > 1;
  }

  static long long inside_mbps(const Json& device) {
    if (device["internal_gbps"].is_null()) return Network::kUnlimited;
    return mbps_of_gbps(device["internal_gbps"].get<double>());
  }

  void add_cable(size_t a, size_t b, int mbps) {
    network_.add_cable(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b), mbps);
    slowest_ = std::min(slowest_, mbps);
  }

  /// The two cables of a node in a ring, by index.
  std::pair<size_t, size_t> cables_of(std::uint32_t node) const {
    std::vector<size_t> found;
    for (size_t i = 0; i < network_.cables().size(); ++i) {
      if (network_.cables()[i].a == node || network_.cables()[i].b == node) found.push_back(i);
    }
    return {found[0], found[1]};
  }

  /// Which edges are closed if these cables are blocked. A cable has two consecutive edges.
  std::vector<bool> without_cables(const std::vector<size_t>& blocked) const {
    std::vector<bool> closed(network_.edges().size(), false);
    for (const size_t cable : blocked) closed[2 * cable] = closed[2 * cable + 1] = true;
    return closed;
  }

  const Json& document_;
  const Json& spec_;
  Network network_;
  int slowest_ = std::numeric_limits<int>::max();
  bool has_wide_trunk_ = false;
};

}  // namespace

TopologyNetwork network_of_design(const Design& design, std::uint64_t seed) { return NetworkBuilder(design).build(seed); }

}  // namespace fnn
