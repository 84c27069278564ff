// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/route_loads.h"

#include <gtest/gtest.h>

#include "fabrics.h"

namespace fnn::testing {
namespace {

using Rates = std::vector<std::array<double, 3>>;

/// The paper's example: six nodes with two NICs on three switches.
const std::vector<std::vector<int>> kSixFabric = {{0, 1}, {0, 1}, {0, 2}, {0, 2}, {1, 2}, {1, 2}};

Rates rates(const Fabric& fabric, const Level& level) {
  const Choice choice = choice_for(fabric);
  std::vector<std::uint16_t> order;
  for (std::size_t node = 0; node < fabric.nodes(); ++node) order.push_back(static_cast<std::uint16_t>(node));
  return RouteLoads(fabric, choice).rates(level, order);
}

TEST(RouteLoads, FlowsShareALink) {
  // Node 0 reaches nodes 2 and 3 over switch 0 alone.
  EXPECT_EQ(rates(fabric_on(kSixFabric), {{0, 2}, {0, 3}}), (Rates{{0.5, 0.5, 0.5}, {0.5, 0.5, 0.5}}));
  EXPECT_EQ(rates(fabric_on(kSixFabric), {{2, 0}, {3, 0}}), (Rates{{0.5, 0.5, 0.5}, {0.5, 0.5, 0.5}}));
}

TEST(RouteLoads, DirectionsOfACableAreIndependent) {
  EXPECT_EQ(rates(fabric_on(kSixFabric), {{0, 2}, {3, 0}}), (Rates{{1, 1, 1}, {1, 1, 1}}));
}

TEST(RouteLoads, AdvancedRoutingAddsRatesAndStripingIsLimitedByTheSlowest) {
  // Nodes 0 and 1 share switches 0 and 1; switch 0 also carries the flow from 0 to 2.
  const Rates found = rates(fabric_on(kSixFabric), {{0, 1}, {0, 2}});
  EXPECT_EQ(found[0][kAdvanced], 1.5);
  EXPECT_EQ(found[0][kStriped], 1.0);
  EXPECT_EQ(found[1][kAdvanced], 0.5);
}

TEST(RouteLoads, FastLinksCarryMore) {
  Fabric fabric = fabric_on({{0}, {0}, {0}});
  fabric.legs[0][0].mbps = 2500;
  EXPECT_EQ(rates(fabric, {{0, 1}, {0, 2}})[0][kBasic], 1.0) << "half of 2.5 is more than the other end takes";
  EXPECT_EQ(rates(fabric, {{0, 1}, {0, 2}, {0, 2}})[0][kBasic], 2.5 / 3);
}

TEST(RouteLoads, FlowsShareAnOversubscribedSwitch) {
  Fabric fabric = fabric_on({{0}, {0}, {0}, {0}});
  fabric.inside_mbps[0] = 3000;
  EXPECT_EQ(rates(fabric, {{0, 1}, {1, 2}, {2, 3}, {3, 0}})[2][kBasic], 0.75);
}

TEST(RouteLoads, FlowsWithoutASharedSwitchHaveNoThroughput) {
  EXPECT_EQ(rates(fabric_on({{0}, {1}, {0}}), {{0, 1}, {0, 2}}), (Rates{{0, 0, 0}, {1, 1, 1}}));
}

TEST(RouteLoads, AMapAssignsRanksToNodes) {
  const Fabric fabric = fabric_on({{0}, {1}, {0}});
  const Choice choice = choice_for(fabric);
  RouteLoads loads(fabric, choice);
  EXPECT_EQ(loads.measure(Level{{0, 1}}, {2, 0, 1}).mean(kBasic), 1);
  EXPECT_EQ(loads.measure(Level{{0, 1}}, {0, 1, 2}).mean(kBasic), 0);
}

TEST(RouteLoads, LevelsDoNotShareLinks) {
  const Fabric fabric = fabric_on({{0}, {0}, {0}});
  const Choice choice = choice_for(fabric);
  RouteLoads loads(fabric, choice);
  const FlowRates rates = loads.measure(FlowPattern{"", 0, {{{0, 1}, {0, 2}}, {{1, 2}}}}, {0, 1, 2});
  EXPECT_DOUBLE_EQ(rates.mean(kBasic), 2.0 / 3) << "two flows at a half, then one alone";
  EXPECT_EQ(rates.least[kBasic], 0.5);
  EXPECT_EQ(rates.flows, 3U);
}

}  // namespace
}  // namespace fnn::testing
