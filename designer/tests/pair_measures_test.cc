// SPDX-License-Identifier: GPL-3.0-or-later
// The values of the KLAT2 paper, section 6.1.
#include "evaluate/pair_measures.h"

#include <gtest/gtest.h>

#include "fabrics.h"

namespace fnn::testing {
namespace {

/// Leaves with `nodes_each` nodes of one NIC, and a cable from every leaf to the uplink switch.
Fabric tree(int leaves, int nodes_each) {
  std::vector<std::vector<int>> switches;
  for (int node = 0; node < leaves * nodes_each; ++node) switches.push_back({node / nodes_each});
  Fabric fabric = fabric_on(switches);
  fabric.uplinked.assign(fabric.uplinked.size(), true);
  return fabric;
}

/// The eight PCs of the paper, with `times` copies of each.
Fabric eight(int times) {
  std::vector<std::vector<int>> switches;
  for (const auto& legs : fabric_of(committed("eight")).legs) {
    std::vector<int> devices;
    for (const Leg& leg : legs) devices.push_back(leg.device);
    switches.insert(switches.end(), static_cast<std::size_t>(times), devices);
  }
  return fabric_on(switches);
}

TEST(Pairwise, OfEightPcsIsThatOfThePaper) {
  // ((4 x 3) x 6) / (8 x 7) = 72/56; 21 pairs share one switch, six two and one three: 36/28.
  const Json measured = pairwise(eight(1), {4, 4, 4, 4, 4, 4});
  EXPECT_EQ(measured["mean"], (Json{{"exact", "9/7"}, {"value", 1.285714}}));
  EXPECT_EQ(measured["paper"]["exact"], "9/7");
  EXPECT_EQ(measured["min"]["exact"], "1");
  EXPECT_EQ(measured["histogram"], (Json{{"1", 21}, {"2", 6}, {"3", 1}}));
}

TEST(Pairwise, OfSixtyFourPcsIsThatOfThePaper) {
  // ((32 x 31) x 6) / (64 x 63) = 5952/4032
  EXPECT_EQ(pairwise(eight(8), std::vector<int>(6, 32))["mean"]["exact"], "31/21");
  EXPECT_EQ(pairwise(eight(8), std::vector<int>(6, 32))["paper"]["exact"], "31/21");
}

TEST(Pairwise, OfKlat2CountsOnlyUsedPorts) {
  // (8 x 31 x 30 + 8 x 7) / (64 x 63) = 7496/4032; with the ninth switch full, 9 x 31 x 30 / 4032 = 8370/4032.
  const Json measured = pairwise(klat2_as_built(), std::vector<int>(9, 31));
  EXPECT_EQ(measured["mean"], (Json{{"exact", "937/504"}, {"value", 1.859127}}));
  EXPECT_EQ(measured["paper"]["exact"], "465/224");
}

TEST(Pairwise, FullSwitchesCountEachNodeOnce) {
  // A switch of eight ports for two nodes yields one link, not (8 x 7) / (2 x 1).
  EXPECT_EQ(pairwise(fabric_on({{0}, {0}}), {8})["paper"]["exact"], "1");
}

TEST(Pairwise, IsInUnitsOfTheSlowestLink) {
  Fabric fabric = fabric_on({{0, 1}, {0, 1}, {1}});
  fabric.legs[0][0].mbps = 2500;
  fabric.legs[1][0].mbps = 10000;
  fabric.legs[0][1].mbps = 2500;
  // 2.5 + 1 for the first pair, 1 for the two others: 5.5 over three pairs.
  EXPECT_EQ(pairwise(fabric, {3, 3})["mean"]["exact"], "11/6");
  EXPECT_EQ(pairwise(fabric, {3, 3})["histogram"], (Json{{"1", 2}, {"7/2", 1}}));
}

TEST(Bisection, OfEightPcsIsThatOfThePaper) {
  // 8 x 3 and 8 x 9/7
  const Json measured = bisection_json(bisection(eight(1)), 1000);
  EXPECT_EQ(measured["best"], (Json{{"exact", "24"}, {"value", 24.0}, {"gbps", 24.0}}));
  EXPECT_EQ(measured["conservative"], (Json{{"exact", "72/7"}, {"value", 10.285714}, {"gbps", 10.285714}}));
  EXPECT_EQ(measured["convention"], "both-directions");
}

TEST(Bisection, OfKlat2IsThatOfThePaper) {
  const Json measured = bisection_json(bisection(klat2_as_built()), 100);
  EXPECT_EQ(measured["best"]["gbps"], 25.6);           // 256 links of 100 Mb/s
  EXPECT_EQ(measured["conservative"]["gbps"], 11.898413);  // 64 x 937/504 x 0.1
}

TEST(Bisection, IsLimitedByOversubscribedSwitches) {
  Fabric fabric = fabric_on({{0, 1}, {0, 1}, {0}, {0}});
  fabric.inside_mbps[0] = 2500;
  EXPECT_EQ(bisection(fabric).best, Rational(9, 2));  // 2.5 of four links on the first switch, two on the second
}

TEST(SwitchesTraversed, IsOneInEveryFnn) {
  const Json measured = switches_traversed(eight(1));
  EXPECT_EQ(measured["mean"]["exact"], "1");
  EXPECT_EQ(measured["histogram"], (Json{{"1", 56}}));
  EXPECT_EQ(measured["unreached"], 0);
}

TEST(SwitchesTraversed, OfTreesIsThatOfThePaper) {
  // Of seven other nodes one is on the same leaf and six are three switches away: (1 + 18) / 7.
  EXPECT_EQ(switches_traversed(tree(4, 2))["mean"]["exact"], "19/7");
  // Of 63 other nodes 15 and 48: (15 + 144) / 63 = 159/63.
  EXPECT_EQ(switches_traversed(tree(4, 16))["mean"]["exact"], "53/21");
  EXPECT_EQ(switches_traversed(tree(4, 2))["histogram"], (Json{{"1", 8}, {"3", 48}}));
}

TEST(SwitchesTraversed, PairsAreUnreachedWithoutACableToTheUplink) {
  Fabric fabric = tree(3, 2);
  fabric.uplinked[2] = false;
  // Of 30 ordered pairs six are on one leaf, eight between the first two leaves, and 16 are unreachable.
  const Json measured = switches_traversed(fabric);
  EXPECT_EQ(measured["unreached"], 16);
  EXPECT_EQ(measured["mean"]["exact"], "15/7");  // (6 + 3 x 8) / 14
  EXPECT_TRUE(switches_traversed(fabric_on({{0}, {1}}))["mean"].is_null());
}

}  // namespace
}  // namespace fnn::testing
