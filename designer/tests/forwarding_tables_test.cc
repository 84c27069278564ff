// SPDX-License-Identifier: GPL-3.0-or-later
#include "network/forwarding_tables.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "network/route_census.h"
#include "networks.h"

namespace fnn::testing {
namespace {

const std::vector<RoutingChoice> kChoices = {RoutingChoice::kDModK, RoutingChoice::kMinHop, RoutingChoice::kBalanced,
                                             RoutingChoice::kRandom};

TEST(ForwardingTables, ReachEveryNodeOverShortestPaths) {
  // 64 nodes on four-port switches need more than three levels; eight-port switches hold 128 nodes on three.
  for (const auto& [nodes, ports] : {std::pair(100, 8), std::pair(64, 32), std::pair(17, 6)}) {
    const Alternative tree = AlternativeBuilder(nodes, 2, 2, ports).build("fat-tree");
    ASSERT_TRUE(tree.network) << tree.reason;
    std::vector<RouteCensus> all;
    for (const RoutingChoice choice : kChoices) {
      all.emplace_back(routed(tree, choice));
      EXPECT_EQ(all.back().unreached, 0);
      EXPECT_EQ(all.back().switches, all.front().switches) << name_of(choice);
    }
  }
}

long long busiest(const Alternative& tree, RoutingChoice choice) {
  const RoutedNetwork network = routed(tree, choice);
  return forwarding_json(network, RouteCensus(network).basic_routes)["switch"]["max"].get<long long>();
}

TEST(ForwardingTables, BalancedRoutesAreWithinFivePercentOfEveryChoice) {
  for (const auto& [nodes, ports] : {std::pair(100, 8), std::pair(90, 8), std::pair(64, 32), std::pair(50, 6)}) {
    const Alternative tree = AlternativeBuilder(nodes, 2, 2, ports).build("fat-tree");
    const auto balanced = static_cast<double>(busiest(tree, RoutingChoice::kBalanced));
    for (const RoutingChoice choice : kChoices) EXPECT_LE(balanced, 1.05 * static_cast<double>(busiest(tree, choice))) << name_of(choice);
    EXPECT_LT(balanced, 0.8 * static_cast<double>(busiest(tree, RoutingChoice::kRandom)));
  }
}

TEST(ForwardingTables, DModKIsOptimalOnAFullFatTree) {
  // 128 nodes on eight-port switches: each leaf has four nodes and four cables upward, 4 x 124 routes over four cables.
  const Alternative tree = AlternativeBuilder(128, 2, 2, 8).build("fat-tree");
  EXPECT_EQ(busiest(tree, RoutingChoice::kDModK), 124);
  EXPECT_EQ(busiest(tree, RoutingChoice::kBalanced), 124);
}

TEST(ForwardingTables, NodesForwardOnlyInSwitchlessNetworks) {
  // Node 1 has cables to both switches and does not forward between them.
  Network network(3);
  const std::uint32_t left = network.add_switch();
  const std::uint32_t right = network.add_switch();
  network.add_cable(0, left, 1000);
  network.add_cable(1, left, 1000);
  network.add_cable(1, right, 1000);
  network.add_cable(2, right, 1000);
  network.finish();
  const ForwardingTables tables = choose_routes(network, RoutingChoice::kOnly, 1);
  EXPECT_EQ(tables.next(0, 2), ForwardingTables::kNone);
  EXPECT_NE(tables.next(0, 1), ForwardingTables::kNone);
  network.nodes_forward = true;
  EXPECT_NE(choose_routes(network, RoutingChoice::kOnly, 1).next(0, 2), ForwardingTables::kNone);
}

}  // namespace
}  // namespace fnn::testing
