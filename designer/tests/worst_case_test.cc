// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/worst_case.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "evaluate/route_loads.h"
#include "evaluate/sampling.h"
#include "fabrics.h"
#include "support.h"

namespace fnn::testing {
namespace {

Json measured(const Fabric& fabric, const Spec& spec) {
  return worst_case(fabric, choice_for(fabric), choose_weights(fabric.legs, fabric.inside_mbps, own_traffic(spec)), spec);
}

Json measured(const std::string& inventory) {
  const Design design = committed(inventory);
  return measured(fabric_of(design), design.spec);
}

Spec plain(int nodes) { return read_spec(plain_spec(nodes, 1, 1, nodes)); }

TEST(WorstCase, IsOneLinkInEveryFnnWithAnExposedPair) {
  for (const char* inventory : {"lab", "eight", "klat2"}) {
    const Json permutation = measured(inventory)["permutation"];
    EXPECT_EQ(permutation["basic"]["exact"], "1") << inventory;
    EXPECT_EQ(permutation["advanced"]["exact"], "1") << inventory;
    EXPECT_EQ(permutation["optimal"]["high"]["exact"], "1") << inventory;
  }
}

TEST(WorstCase, OfRailsIsAllLinksWithAdvancedRouting) {
  const Json permutation = measured("homelab16/ports16")["permutation"];
  EXPECT_EQ(permutation["basic"]["exact"], "1");
  EXPECT_EQ(permutation["advanced"]["exact"], "4");
  EXPECT_EQ(permutation["optimal"]["low"]["exact"], "4");
  EXPECT_EQ(permutation["ratio"], (Json{{"basic", 0.25}, {"advanced", 1.0}, {"weighted", 1.0}}));
}

TEST(WorstCase, NoRandomPermutationIsWorse) {
  const Design design = committed("homelab16/ports16-uplink");
  const Fabric fabric = fabric_of(design);
  const Choice choice = choice_for(fabric);
  const double least = worst_case(fabric, choice, Weights(fabric.nodes()), design.spec)["permutation"]["advanced"]["value"];
  RouteLoads loads(fabric, choice);
  RandomOrders orders(fabric.nodes(), 1);
  double seen = 100;
  for (int i = 0; i < 2000; ++i) {
    Level cycle;  // of all nodes in a random order
    for (std::uint16_t rank = 0; rank < 16; ++rank) cycle.push_back({rank, static_cast<std::uint16_t>((rank + 1) % 16)});
    seen = std::min(seen, loads.measure(cycle, orders.next()).least[kAdvanced]);
  }
  EXPECT_EQ(seen, least);
}

TEST(WorstCase, EqualSplittingWastesAFastSwitch) {
  Fabric fabric = fabric_on({{0, 1}, {0, 1}});
  for (auto& of_node : fabric.legs) of_node[1].mbps = 3000;
  const Json permutation = measured(fabric, plain(2))["permutation"];
  EXPECT_EQ(permutation["advanced"]["exact"], "2");
  EXPECT_EQ(permutation["weighted"]["exact"], "4") << "weights 1 and 3";
  EXPECT_EQ(permutation["optimal"]["high"]["exact"], "4");
}

TEST(WorstCase, AnOversubscribedSwitchIsLimitedByItsWorstPermutation) {
  // Four flows cross one switch with the capacity of two; there is no other path.
  Fabric fabric = fabric_on({{0}, {0}, {0}, {0}});
  fabric.inside_mbps[0] = 2000;
  const Json permutation = measured(fabric, plain(4))["permutation"];
  EXPECT_EQ(permutation["basic"]["exact"], "1/2");
  EXPECT_EQ(permutation["optimal"]["low"]["exact"], "1/2");
  EXPECT_NEAR(permutation["optimal"]["high"]["value"], 0.5, 0.0005);
}

TEST(WorstCase, OptimalSplittingAvoidsAnOversubscribedSwitch) {
  // Both switches hold all four nodes; one has the capacity of one link, the other of all four.
  Fabric fabric = fabric_on({{0, 1}, {0, 1}, {0, 1}, {0, 1}});
  fabric.inside_mbps[0] = 1000;
  const Json permutation = measured(fabric, plain(4))["permutation"];
  // With equal parts half of each flow crosses the oversubscribed switch: 4/2 over 1. The optimum sends a full link of
  // each flow over the other switch and a quarter more over the oversubscribed one.
  EXPECT_EQ(permutation["advanced"]["exact"], "1/2");
  // Weights of about 1 and 4 put a fifth of each flow on the oversubscribed switch.
  EXPECT_GT(permutation["weighted"]["value"], 0.9);
  EXPECT_NEAR(permutation["optimal"]["high"]["value"], 1.25, 0.002);
}

TEST(WorstCase, IsNullWithoutASharedSwitch) {
  EXPECT_TRUE(measured(fabric_on({{0}, {1}}), plain(2))["permutation"].is_null());
  EXPECT_TRUE(measured(fabric_on({{0}, {1}}), plain(2))["patterns"][0]["optimal"].is_null());
}

TEST(Saturation, OfSixNodesIsAsComputedByHand) {
  // Five peers over two NICs get 2/5 of a link each; with one switch per pair, three of them use one NIC.
  const Json all = measured("lab")["patterns"][0];
  EXPECT_EQ(all["pattern"], "all-to-all");
  EXPECT_NEAR(all["optimal"]["high"], 0.4, 0.0005);
  EXPECT_NEAR(all["advanced"], 0.4, 1e-6);
  EXPECT_NEAR(all["weighted"], 0.4, 1e-6);
  EXPECT_NEAR(all["basic"], 1.0 / 3, 1e-6);
}

TEST(Saturation, OfOwnPatternsOneByOneAndTogether) {
  Json document = plain_spec(4, 1, 1, 4);
  document["patterns"] = Json::parse(R"([{"kind": "ring"}, {"kind": "pairs", "pairs": [["n000", "n001", 3], ["n000", "n002", 1]]}])");
  const Json patterns = measured(fabric_on({{0}, {0}, {0}, {0}}), read_spec(document))["patterns"];
  ASSERT_EQ(patterns.size(), 4U);
  EXPECT_EQ(patterns[1]["pattern"], "ring");
  EXPECT_EQ(patterns[1]["advanced"], 0.5);  // two neighbors over one link
  EXPECT_EQ(patterns[2]["advanced"], 0.5);  // n000 sends 3/2 and 1/2 of the mean weight
  EXPECT_EQ(patterns[3]["pattern"], "own");
  EXPECT_EQ(patterns[3]["pairs"], 5);
  // Weights 4, 1, 1, 1, 1 with mean 8/5; n000 sends 4 + 1 + 1, which is 15/4 of the mean.
  EXPECT_NEAR(patterns[3]["advanced"], 4.0 / 15, 1e-6);
}

TEST(WorstCase, TheRatioIsTheLeastOfPermutationsAndAllPatterns) {
  const Json klat2 = measured("klat2");
  EXPECT_EQ(klat2["permutation"]["ratio"]["advanced"], 1.0);
  EXPECT_EQ(klat2["ratio"], klat2["patterns"][0]["ratio"]) << "all-to-all";
  const Json rails = measured("homelab16/ports16");
  EXPECT_EQ(rails["ratio"], rails["permutation"]["ratio"]);
  const Json sparse = measured("kasy0");
  EXPECT_EQ(sparse["permutation"]["ratio"]["advanced"], 1.0);
  for (const char* routing : {"basic", "advanced", "weighted"}) {
    double least = 1.0;
    for (const Json& pattern : sparse["patterns"]) least = std::min(least, pattern["ratio"][routing].get<double>());
    EXPECT_EQ(sparse["ratio"][routing], least);
    EXPECT_LT(least, 0.96) << "not all-to-all, where each division reaches 0.97";
  }
}

}  // namespace
}  // namespace fnn::testing
