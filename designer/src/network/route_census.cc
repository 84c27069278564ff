// SPDX-License-Identifier: GPL-3.0-or-later
#include "network/route_census.h"

#include <algorithm>
#include <numeric>

namespace fnn {
namespace {

using std::size_t;

Json summary(const std::vector<long long>& routes) {
  if (routes.empty()) return nullptr;
  const long long sum = std::accumulate(routes.begin(), routes.end(), 0LL);
  return {{"min", *std::min_element(routes.begin(), routes.end())},
          {"mean", exact_number({sum, static_cast<std::int64_t>(routes.size())})},
          {"max", *std::max_element(routes.begin(), routes.end())}};
}

}  // namespace

/// All routes to one destination with one forwarding table: a tree, in which the values of a vertex follow from its
/// next hop. The time per destination is linear, even on a ring of a thousand nodes.
struct RouteCensus::Tree {
  std::vector<std::uint32_t> order;  ///< vertices that reach it, each after its next hop
  std::vector<std::uint16_t> next;   ///< per vertex, its next edge
  std::vector<int> depth;            ///< per vertex; kUnknown: unreachable
  std::vector<int> switches;
  std::vector<int> nodes;
  std::vector<long long> mbps;
  std::vector<std::vector<long long>> basic;  ///< per copy and vertex, the routes that start there
  std::vector<double> advanced;

  static constexpr int kUnknown = -1;

  void grow(const RoutedNetwork& routed, size_t layer, size_t to) {
    const Network& network = routed.network;
    next.assign(routed.layers[layer].tables.to(to), routed.layers[layer].tables.to(to) + network.vertices());
    depth.assign(network.vertices(), kUnknown);
    switches.assign(network.vertices(), 0);
    nodes.assign(network.vertices(), 0);
    mbps.assign(network.vertices(), Network::kUnlimited);
    basic.assign(network.copies, std::vector<long long>(network.vertices(), 0));
    advanced.assign(network.vertices(), 0);
    order.clear();
    depth[to] = 0;
    for (std::uint32_t vertex = 0; vertex < network.vertices(); ++vertex) reach(network, vertex, to);
  }

 private:
  void reach(const Network& network, std::uint32_t vertex, size_t to) {
    std::vector<std::uint32_t>& unknown = scratch_;
    unknown.clear();
    while (depth[vertex] == kUnknown && next[vertex] != ForwardingTables::kNone) {
      unknown.push_back(vertex);
      vertex = network.edges()[next[vertex]].head;
    }
    if (depth[vertex] == kUnknown) return;
    for (size_t i = unknown.size(); i-- > 0;) {
      const std::uint32_t here = unknown[i];
      const Network::Edge& edge = network.edges()[next[here]];
      depth[here] = depth[edge.head] + 1;
      switches[here] = switches[edge.head] + (network.kind(edge.head) == Network::Kind::kSwitch ? 1 : 0);
      nodes[here] = nodes[edge.head] + (network.is_node(edge.head) && edge.head != to ? 1 : 0);
      mbps[here] = std::min(mbps[edge.head], edge.mbps);
      order.push_back(here);
    }
  }

  std::vector<std::uint32_t> scratch_;
};

RouteCensus::RouteCensus(const RoutedNetwork& routed) {
  basic_routes.assign(routed.network.copies * routed.network.edges().size(), 0);
  advanced_routes.assign(routed.network.edges().size(), 0);
  std::vector<Tree> trees(routed.layers.size());
  for (size_t to = 0; to < routed.network.nodes(); ++to) {
    for (size_t layer = 0; layer < trees.size(); ++layer) trees[layer].grow(routed, layer, to);
    count_pairs(routed, trees, to);
    count_routes(routed, trees);
  }
}

void RouteCensus::count_pairs(const RoutedNetwork& routed, std::vector<Tree>& trees, size_t to) {
  const size_t copies = routed.network.copies;
  std::vector<size_t> open;
  for (size_t from = 0; from < routed.network.nodes(); ++from) {
    if (from == to) continue;
    open.clear();
    long long over_switches = 0;
    long long over_nodes = 0;
    long long mbps = 0;
    for (size_t layer = 0; layer < trees.size(); ++layer) {
      const Tree& tree = trees[layer];
      if (!routed.is_open(layer, from, to) || tree.depth[from] == Tree::kUnknown) continue;
      open.push_back(layer);
      over_switches += tree.switches[from];
      over_nodes += tree.nodes[from];
      mbps += tree.mbps[from] * static_cast<long long>(copies);
      steps += tree.depth[from];
    }
    ++pairs_by_mbps[mbps];
    if (open.empty()) {
      ++unreached;
      continue;
    }
    ++switches[static_cast<int>(open.size())][over_switches];
    ++nodes[static_cast<int>(open.size())][over_nodes];
    const size_t pick = (from + to) % (open.size() * copies);
    ++trees[open[pick / copies]].basic[pick % copies][from];
    for (const size_t layer : open) trees[layer].advanced[from] += 1 / static_cast<double>(open.size() * copies);
  }
}

void RouteCensus::count_routes(const RoutedNetwork& routed, std::vector<Tree>& trees) {
  const size_t edges = routed.network.edges().size();
  for (Tree& tree : trees) {
    for (size_t i = tree.order.size(); i-- > 0;) {
      const std::uint32_t vertex = tree.order[i];
      const std::uint16_t edge = tree.next[vertex];
      const std::uint32_t head = routed.network.edges()[edge].head;
      for (size_t copy = 0; copy < tree.basic.size(); ++copy) {
        basic_routes[copy * edges + edge] += tree.basic[copy][vertex];
        tree.basic[copy][head] += tree.basic[copy][vertex];
      }
      advanced_routes[edge] += tree.advanced[vertex];
      tree.advanced[head] += tree.advanced[vertex];
    }
  }
}

Json hops_json(const std::map<int, std::map<long long, long long>>& hops, long long unreached) {
  Rational sum;
  long long pairs = 0;
  Json histogram = Json::object();
  for (const auto& [paths, counts] : hops) {
    for (const auto& [total, count] : counts) {
      const Rational here(total, paths);
      sum = sum + here * Rational(count);
      pairs += count;
      Json& bar = histogram[here.text()];
      bar = (bar.is_null() ? 0 : bar.get<long long>()) + count;
    }
  }
  const Json mean = pairs == 0 ? Json(nullptr) : exact_number(sum / Rational(pairs));
  return {{"mean", mean}, {"histogram", histogram}, {"unreached", unreached}};
}

Json forwarding_json(const RoutedNetwork& routed, const std::vector<long long>& basic_routes) {
  std::vector<long long> nics;
  std::vector<long long> between;
  const std::vector<Network::Edge>& edges = routed.network.edges();
  for (size_t i = 0; i < basic_routes.size(); ++i) {
    const Network::Edge& edge = edges[i % edges.size()];
    if (routed.network.at_node(edge)) nics.push_back(basic_routes[i]);
    else if (routed.network.kind(edge.head) != Network::Kind::kInside) between.push_back(basic_routes[i]);
  }
  return {{"nic", summary(nics)}, {"switch", summary(between)}};
}

}  // namespace fnn
