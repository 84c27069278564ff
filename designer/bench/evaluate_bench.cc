// SPDX-License-Identifier: GPL-3.0-or-later
// fnn-evaluate-bench: random patterns per second of one core, as JSON, compared with a loop that only shuffles.
//
//   shuffle        random orders of the nodes alone: the upper limit for every engine that draws whole orders
//   advanced       also the sum of the throughput of their pairs over all shared switches
//   all_routings   also basic routing in both directions
//   routed_basic   the patterns with loads counted per link, basic routing, one flow per pair
//   routed_all     the same with basic, advanced and striped routing, two flows per pair
//
//   fat_tree       random routes over a two-level fat tree, PairLoads: one and both directions of each pattern
//   fat_tree_flows the same with each flow traced edge by edge, both directions
//
// The fabric is a blow-up of the projective plane of order 4: node i is on the switches (i + d) mod 21 for every d of a
// difference set, so that any two nodes share one switch or all five.
#include <cstdio>
#include <cstdlib>

#include "base/json_text.h"
#include "bench_rate.h"
#include "evaluate/ebb.h"
#include "evaluate/route_loads.h"
#include "network/flow_loads.h"

namespace fnn {
namespace {

constexpr int kSwitches = 21;
constexpr int kAtOnce = 64;

Fabric blown_up_plane(int nodes) {
  Fabric fabric;
  fabric.unit_mbps = 1000;
  fabric.links.assign(kSwitches, 0);
  fabric.links_mbps.assign(kSwitches, 0);
  fabric.inside_mbps.assign(kSwitches, Fabric::kUnlimited);
  fabric.uplinked.assign(kSwitches, false);
  for (int node = 0; node < nodes; ++node) {
    auto& legs = fabric.legs.emplace_back();
    for (const int distance : {3, 6, 7, 12, 14}) legs.push_back({(node + distance) % kSwitches, 1000});
    std::sort(legs.begin(), legs.end(), [](const Leg& a, const Leg& b) { return a.device < b.device; });
    for (const Leg& leg : legs) {
      ++fabric.links[static_cast<std::size_t>(leg.device)];
      fabric.links_mbps[static_cast<std::size_t>(leg.device)] += leg.mbps;
    }
  }
  return fabric;
}

Level pairs(std::size_t nodes, bool both) {
  Level level;
  for (std::uint16_t i = 0; i + 1U < nodes; i = static_cast<std::uint16_t>(i + 2)) {
    const auto next = static_cast<std::uint16_t>(i + 1);
    level.push_back({i, next});
    if (both) level.push_back({next, i});
  }
  return level;
}

/// Leaf switches with 16 nodes and 16 cables upward, below eight spine switches.
RoutedNetwork fat_tree(std::size_t nodes) {
  constexpr std::size_t kOnLeaf = 16;
  constexpr std::size_t kSpines = 8;
  Network network(nodes);
  std::vector<std::uint32_t> leaves;
  for (std::size_t leaf = 0; leaf < nodes / kOnLeaf; ++leaf) leaves.push_back(network.add_switch());
  for (std::uint32_t node = 0; node < nodes; ++node) network.add_cable(node, leaves[node / kOnLeaf], 1000);
  for (std::size_t spine = 0; spine < kSpines; ++spine) {
    const std::uint32_t above = network.add_switch();
    for (const std::uint32_t leaf : leaves) {
      for (std::size_t cable = 0; cable < kOnLeaf / kSpines; ++cable) network.add_cable(leaf, above, 1000);
    }
  }
  network.finish();
  RoutedNetwork routed{std::move(network), {}};
  routed.layers.push_back({choose_routes(routed.network, RoutingChoice::kRandom, 1)});
  return routed;
}

/// `draw` evaluates an order; its results are added to the sum.
template <typename Draw>
double patterns_rate(std::size_t nodes, Draw draw) {
  RandomOrders orders(nodes, 1);
  return rate([&](std::int64_t& sum) {
    for (int i = 0; i < kAtOnce; ++i) sum += static_cast<std::int64_t>(draw(orders.next()));
    return std::int64_t{kAtOnce};
  });
}

Json measure(int nodes) {
  const Fabric fabric = blown_up_plane(nodes);
  Random random(1);
  const Choice choice = choose_legs(fabric.legs, peer_limits(fabric.legs), random);
  PairSums sums(fabric, choice);
  RouteLoads loads(fabric, choice);
  const RoutedNetwork tree = fat_tree(fabric.nodes());
  PairLoads tree_pairs(tree, fabric.unit_mbps);
  FlowLoads tree_flows(tree, fabric.unit_mbps);
  const Level one_way = pairs(fabric.nodes(), false);
  const Level both_ways = pairs(fabric.nodes(), true);
  using Order = std::vector<std::uint16_t>;
  const std::size_t count = fabric.nodes();
  return {{"nodes", nodes},
          {"shuffle", patterns_rate(count, [](const Order& order) { return order.front(); })},
          {"advanced", patterns_rate(count, [&](const Order& order) { return sums.advanced(order); })},
          {"all_routings", patterns_rate(count, [&](const Order& order) { return sums.sum(order).advanced; })},
          {"routed_basic", patterns_rate(count, [&](const Order& order) { return loads.basic_mean(one_way, order) * 1e6; })},
          {"routed_all", patterns_rate(count, [&](const Order& order) { return loads.measure(both_ways, order).sum[kAdvanced]; })},
          {"fat_tree", patterns_rate(count, [&](const Order& order) { return tree_pairs.measure(order).sym[kBasic] * 1e6; })},
          {"fat_tree_flows", patterns_rate(count, [&](const Order& order) { return tree_flows.rates(both_ways, order)[0][kBasic] * 1e6; })}};
}

}  // namespace
}  // namespace fnn

int main() {
  using fnn::Json;
  Json rates = Json::array();
  for (const int nodes : {64, 256, 1024}) rates.push_back(fnn::measure(nodes));
  const Json answer = {{"unit", "patterns per second of one core"}, {"rates", rates}, {"consumed", fnn::consumed()}};
  std::printf("%s\n", answer.dump().c_str());
  return EXIT_SUCCESS;
}
