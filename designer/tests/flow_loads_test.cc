// SPDX-License-Identifier: GPL-3.0-or-later
#include "network/flow_loads.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "evaluate/route_loads.h"
#include "evaluate/sampling.h"
#include "networks.h"

namespace fnn::testing {
namespace {

/// Switches with random cables between them, some of them parallel; some switches are oversubscribed. Each node is on
/// a random switch.
RoutedNetwork random_network(Random& random, RoutingChoice choice) {
  Network network(2 + random.below(30));
  std::vector<std::uint32_t> switches;
  const std::size_t count = 1 + random.below(6);
  for (std::size_t i = 0; i < count; ++i) {
    const bool oversubscribed = random.one_in(4);
    const long long inside_mbps = oversubscribed ? 1000 + 1000 * static_cast<long long>(random.below(9)) : Network::kUnlimited;
    switches.push_back(network.add_switch(inside_mbps));
    if (i > 0) network.add_cable(switches[i], switches[random.below(i)], random.one_in(3) ? 500 : 1000);
  }
  for (std::size_t more = random.below(8); more > 0 && count > 1; --more) {
    const std::size_t a = random.below(count);
    const std::size_t b = random.below(count);
    if (a != b) network.add_cable(switches[a], switches[b], 1000);
  }
  for (std::uint32_t node = 0; node < network.nodes(); ++node) network.add_cable(node, switches[random.below(count)], 1000);
  network.copies = 1 + random.below(3);
  network.finish();
  RoutedNetwork found{std::move(network), {}};
  found.layers.push_back({choose_routes(found.network, choice, random.next())});
  return found;
}

RoutingRates mean(const std::vector<RoutingRates>& rates) {
  RoutingRates sum{};
  for (const RoutingRates& rate : rates) {
    for (std::size_t routing = 0; routing < 2; ++routing) sum[routing] += rate[routing] / static_cast<double>(rates.size());
  }
  return sum;
}

TEST(PairLoads, AgreeWithFlowLoads) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    const RoutedNetwork network = random_network(random, static_cast<RoutingChoice>(random.below(5)));
    const std::size_t nodes = network.network.nodes();
    PairLoads pairs(network, 1000);
    FlowLoads flows(network, 1000);
    RandomOrders orders(nodes, seed);
    Level there;
    Level both;
    for (std::size_t i = 0; i + 1 < nodes; i += 2) {
      const Flow flow{static_cast<std::uint16_t>(i), static_cast<std::uint16_t>(i + 1)};
      there.push_back(flow);
      both.push_back(flow);
      both.push_back({flow.to, flow.from});
    }
    for (int pattern = 0; pattern < 20; ++pattern) {
      const std::vector<std::uint16_t>& order = orders.next();
      const PairMeans quick = pairs.measure(order);
      const RoutingRates uni = mean(flows.rates(there, order));
      const RoutingRates sym = mean(flows.rates(both, order));
      for (const std::size_t routing : {kBasic, kAdvanced}) {
        ASSERT_NEAR(quick.uni[routing], uni[routing], 1e-9) << "seed " << seed;
        ASSERT_NEAR(quick.sym[routing], sym[routing], 1e-9) << "seed " << seed;
      }
    }
  }
}

TEST(FlowLoads, FlowsOverOneCableShareIt) {
  // Nodes 0 and 1 send to other leaves over the single cable of their leaf. Node 2 sends to node 3 on the same leaf.
  const RoutedNetwork tree = routed(AlternativeBuilder(8, 3, 6, 4).build("tree"));
  FlowLoads loads(tree, 1000);
  const std::vector<std::uint16_t> order = rank_order(8);
  const auto& rates = loads.rates({{0, 4}, {1, 6}, {2, 3}}, order);
  EXPECT_EQ(rates[0][kBasic], 0.5);
  EXPECT_EQ(rates[1][kBasic], 0.5);
  EXPECT_EQ(rates[2][kBasic], 1);
}

TEST(FlowLoads, AdvancedRoutingUsesAllCopiesAndBasicRoutingOne) {
  const RoutedNetwork bonded = routed(AlternativeBuilder(8, 3, 6, 4).build("bonded-tree"));
  FlowLoads loads(bonded, 1000);
  const std::vector<std::uint16_t> order = rank_order(8);
  // 0 + 4 and 1 + 6 are both 1 modulo 3: both flows use the second copy. 0 + 4 and 1 + 7 use different copies.
  const auto same = loads.rates({{0, 4}, {1, 6}}, order);
  EXPECT_EQ(same[0][kBasic], 0.5);
  EXPECT_EQ(same[0][kAdvanced], 1.5);
  EXPECT_EQ(loads.rates({{0, 4}, {1, 7}}, order)[0][kBasic], 1);
}

}  // namespace
}  // namespace fnn::testing
