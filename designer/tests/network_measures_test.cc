// SPDX-License-Identifier: GPL-3.0-or-later
#include "network/network_measures.h"

#include <gtest/gtest.h>

#include "evaluate/aapc.h"
#include "evaluate/ebb.h"
#include "evaluate/exposure.h"
#include "evaluate/forwarding.h"
#include "evaluate/pair_measures.h"
#include "evaluate/pattern_measures.h"
#include "fabrics.h"
#include "networks.h"
#include "support.h"

namespace fnn::testing {
namespace {

TEST(NetworkMeasures, HopsOfEightNodesOnTreesAreThoseOfThePaper) {
  // One of seven peers is on the same switch, six are three switches away: (1 + 6 x 3) / 7 = 19/7.
  const AlternativeBuilder builder(8, 3, 6, 4);
  for (const char* name : {"tree", "fat-tree"}) {
    const Json row = measured(builder.build(name), RoutingChoice::kDModK);
    EXPECT_EQ(row["switches_traversed"]["mean"]["exact"], "19/7") << name;
    EXPECT_EQ(row["switches_traversed"]["histogram"], (Json{{"1", 8}, {"3", 48}})) << name;
    EXPECT_EQ(row["pairwise"]["mean"]["exact"], "1") << name;
  }
}

TEST(NetworkMeasures, HopsOf64NodesOnTreesAreThoseOfThePaper) {
  // Four leaves with 16 nodes each: (15 + 48 x 3) / 63 = 159/63.
  const AlternativeBuilder builder(64, 3, 6, 32);
  for (const char* name : {"tree", "fat-tree"}) {
    const Json row = measured(builder.build(name), RoutingChoice::kDModK);
    EXPECT_EQ(row["switches_traversed"]["mean"]["exact"], Rational(159, 63).text()) << name;
  }
}

TEST(NetworkMeasures, TheTreeHasHalfTheBisectionBandwidthOfTheFatTree) {
  // The paper: 8 for the fat tree, about half for the tree: two flows to the other half share each of four cables.
  const AlternativeBuilder builder(8, 3, 6, 4);
  EXPECT_EQ(measured(builder.build("tree"))["bisection"]["across"]["basic"], 4.0);
  EXPECT_EQ(measured(builder.build("fat-tree"), RoutingChoice::kDModK)["bisection"]["across"]["basic"], 8.0);
}

TEST(NetworkMeasures, ForwardingIndexOfTreesIsAsComputedByHand) {
  // 2 nodes per leaf send to 6 others: 12 routes over one cable in the tree, 6 over each of two in the fat tree.
  const AlternativeBuilder builder(8, 3, 6, 4);
  const auto all = [](int routes) {
    return Json{{"min", routes}, {"mean", {{"exact", std::to_string(routes)}, {"value", routes}}}, {"max", routes}};
  };
  EXPECT_EQ(with_integers(measured(builder.build("tree"))["forwarding_index"]["switch"]), all(12));
  for (const RoutingChoice choice : {RoutingChoice::kDModK, RoutingChoice::kMinHop, RoutingChoice::kBalanced}) {
    const Json row = measured(builder.build("fat-tree"), choice);
    EXPECT_EQ(with_integers(row["forwarding_index"]["switch"]), all(6)) << name_of(choice);
    EXPECT_EQ(with_integers(row["forwarding_index"]["nic"]), all(7));
    // With messages of one second, the exchange takes as many seconds as the busiest NIC has routes.
    EXPECT_EQ(row["saturation"][0]["basic"], round_decimals(1.0 / 7));
  }
}

TEST(NetworkMeasures, ShiftsAreFreeOfContentionOnAFatTreeWithDModK) {
  const AlternativeBuilder builder(64, 3, 6, 32);
  const Json phases = measured(builder.build("fat-tree"), RoutingChoice::kDModK)["aapc"]["basic"];
  EXPECT_EQ(phases["minimum"], 1.0);
  EXPECT_EQ(phases["time"], 63.0);
  // With random routes the flows collide.
  EXPECT_LT(measured(builder.build("fat-tree"), RoutingChoice::kRandom)["aapc"]["basic"]["minimum"].get<double>(), 1);
}

TEST(NetworkMeasures, OneTrunkLimitsTwoSwitches) {
  // Grosz and Barczak: six nodes on two four-port switches get a third of a link, 30 on two of 16 ports a fifteenth.
  for (const auto& [nodes, ports] : {std::pair(6, 4), std::pair(30, 16)}) {
    const AlternativeBuilder builder(nodes, 2, 2, ports);
    const Json row = measured(builder.build("two-switches"));
    EXPECT_NEAR(row["bisection"]["across"]["basic"].get<double>(), 2, 1e-5);  // two directions of one cable
    EXPECT_EQ(row["aapc"]["basic"]["minimum"], round_decimals(2.0 / nodes));
    EXPECT_EQ(row["exposure"]["cable"]["max"], nodes * nodes / 4);
  }
}

TEST(NetworkMeasures, SwitchlessNetworksHaveTheHopsOfClusterMonkey) {
  // Ordered pairs, twice the counts of Cluster Monkey: ring 4 x 0 and 2 x 1; cut ring 3 x 0, 2 x 1, 1 x 2; bonded ring
  // 2 x 0 and effectively 4 x 1; star 3 x 0 and 3 x 1.
  const AlternativeBuilder builder(4, 3, 1, 4);
  const auto between = [&](const char* name) { return measured(builder.build(name), RoutingChoice::kBalanced)["nodes_between"]; };
  EXPECT_EQ(between("ring")["mean"]["exact"], "1/3");
  EXPECT_EQ(between("ring")["histogram"], (Json{{"0", 8}, {"1", 4}}));
  EXPECT_EQ(between("cut-ring")["mean"]["exact"], "2/3");
  EXPECT_EQ(between("cut-ring")["histogram"], (Json{{"0", 6}, {"1", 4}, {"2", 2}}));
  EXPECT_EQ(between("bonded-ring")["mean"]["exact"], "2/3");
  EXPECT_EQ(between("bonded-ring")["histogram"], (Json{{"0", 4}, {"1", 8}}));
  EXPECT_EQ(between("star")["mean"]["exact"], "1/2");
  EXPECT_EQ(between("star")["histogram"], (Json{{"0", 6}, {"1", 6}}));
  EXPECT_EQ(between("mesh")["mean"]["exact"], "0");
  EXPECT_TRUE(measured(builder.build("ring"), RoutingChoice::kBalanced)["switches_traversed"].is_null());
}

TEST(NetworkMeasures, PairsOfABondedNodeHaveTwiceTheBandwidth) {
  // The three pairs of the bonded node use both cables, the other three pairs one: (3 x 2 + 3 x 1) / 6.
  const Json row = measured(AlternativeBuilder(4, 3, 1, 4).build("bonded-ring"), RoutingChoice::kBalanced);
  EXPECT_EQ(row["pairwise"]["mean"]["exact"], "3/2");
  EXPECT_EQ(row["pairwise"]["min"]["exact"], "1");
  // The bonded node stays reachable without its second NIC; only cables in the line of three are exposed.
  EXPECT_EQ(row["exposure"]["cable"]["min"], 0);
}

TEST(NetworkMeasures, RailsHaveTheMeasuresOfTheEquivalentFabric) {
  const std::vector<std::vector<int>> everywhere(12, {0, 1, 2});
  const Fabric fabric = fabric_on(everywhere);
  const Choice choice = choice_for(fabric);
  const Alternative rails = AlternativeBuilder(12, 3, 3, 12).build("rails");
  const Json row = measured(rails);
  EXPECT_EQ(row["switches_traversed"], switches_traversed(fabric));
  EXPECT_EQ(row["pairwise"]["mean"], exact_number(mean_pairwise(fabric)));
  const Bisection halves = bisection(fabric);
  EXPECT_EQ(row["bisection"]["best"], bisection_json(halves, 1000)["best"]);
  EXPECT_EQ(row["bisection"]["conservative"], bisection_json(halves, 1000)["conservative"]);
  EXPECT_EQ(row["ebb"], effective_bisection(fabric, choice, {1, 200, 1}));
  const Json phases = all_to_all(fabric, choice);
  for (const char* routing : {"basic", "advanced"}) {
    EXPECT_NEAR(row["aapc"][routing]["time"].get<double>(), phases[routing]["time"]["value"].get<double>(), 1e-5) << routing;
  }
  const Spec spec = read_spec(plain_spec(12, 3, 3, 12));
  const Json patterns = pattern_measures(fabric, choice, spec, {1, 200, 1});
  ASSERT_EQ(row["patterns"].size(), patterns.size());
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    // Basic routing may choose other switches; advanced routing uses all of them.
    EXPECT_EQ(row["patterns"][i]["in_rank_order"]["advanced"], patterns[i]["in_rank_order"]["advanced"]);
  }
  Json exposed = exposure(fabric, spec);
  for (Json& failures : exposed) failures.erase("worst");
  EXPECT_EQ(row["exposure"], exposed);
}

TEST(NetworkMeasures, AnOversubscribedSwitchLimitsItsFlows) {
  // Four pairs of eight nodes in both directions: eight flows through a switch with the capacity of four links.
  Json document = plain_spec(8, 1, 1, 8);
  document["switches"][0]["internal_gbps"] = 4;
  const Json row = measured(AlternativeBuilder(uncabled_design(document)).build("one-switch"));
  EXPECT_EQ(row["ebb"]["basic"]["sym"]["mean"], 0.5);
  EXPECT_EQ(row["ebb"]["basic"]["uni"]["mean"], 1.0);
  EXPECT_EQ(row["bisection"]["best"]["exact"], "4");
  EXPECT_EQ(row["pairwise"]["mean"]["exact"], "1");
  EXPECT_EQ(row["switches_traversed"]["mean"]["exact"], "1");
  EXPECT_TRUE(row["forwarding_index"]["switch"].is_null()) << "an inside is no cable";
}

TEST(NetworkMeasures, ExposureOfATreeIsAsComputedByHand) {
  // A dead leaf of the tree separates its 2 nodes from each other and from 6; a dead NIC one node from 7; the root 24
  // pairs.
  const Json exposed = measured(AlternativeBuilder(8, 3, 6, 4).build("tree"))["exposure"];
  EXPECT_EQ(exposed["switch"]["max"], 24);
  EXPECT_EQ(exposed["switch"]["min"], 1 + 2 * 6);
  EXPECT_EQ(exposed["nic"]["max"], 7);
  EXPECT_EQ(exposed["cable"]["max"], 12);
}

}  // namespace
}  // namespace fnn::testing
