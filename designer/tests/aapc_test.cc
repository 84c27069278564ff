// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/aapc.h"

#include <gtest/gtest.h>

#include "fabrics.h"

namespace fnn::testing {
namespace {

Json measure_phases(const Fabric& fabric) { return all_to_all(fabric, choice_for(fabric)); }

TEST(AllToAll, TakesOnePhasePerOffsetInAnFnn) {
  const Json basic = measure_phases(fabric_of(committed("eight")))["basic"];
  EXPECT_EQ(basic["minima"], Json(std::vector<double>(7, 1.0)));
  EXPECT_EQ(basic["time"]["exact"], "7");
  EXPECT_EQ(basic["histogram"], (Json{{"1", 56}}));
}

TEST(AllToAll, AdvancedRoutingUsesAllSharedSwitches) {
  const Json advanced = measure_phases(fabric_of(committed("eight")))["advanced"];
  EXPECT_EQ(advanced["histogram"], (Json{{"1", 42}, {"2", 12}, {"3", 2}}));
}

TEST(AllToAll, FourRailsWithAdvancedRoutingTakeAQuarterOfTheTime) {
  const Json rails = measure_phases(fabric_of(committed("homelab16/ports16")));
  EXPECT_EQ(rails["basic"]["time"]["exact"], "15");
  EXPECT_EQ(rails["advanced"]["time"]["exact"], "15/4");
}

TEST(AllToAll, StripingIsLimitedByTheSlowestPart) {
  Fabric fabric = fabric_on({{0, 1}, {0, 1}});
  for (auto& of_node : fabric.legs) of_node[1].mbps = 10000;
  const Json two = measure_phases(fabric);
  EXPECT_EQ(two["advanced"]["histogram"], (Json{{"11", 2}}));
  EXPECT_EQ(two["advanced"]["time"]["exact"], "1/11");
  EXPECT_EQ(two["striped"]["histogram"], (Json{{"2", 2}}));
}

TEST(AllToAll, TimeIsNullWhenAPairSharesNoSwitch) {
  const Json apart = measure_phases(fabric_on({{0}, {0}, {1}}))["basic"];
  EXPECT_TRUE(apart["time"].is_null());
  EXPECT_EQ(apart["histogram"], (Json{{"0", 4}, {"1", 2}}));
}

TEST(AllToAll, AnOversubscribedSwitchLowersThePhaseMinima) {
  Fabric fabric = fabric_on({{0}, {0}, {0}});
  fabric.inside_mbps[0] = 2000;
  const Json basic = measure_phases(fabric)["basic"];
  EXPECT_EQ(basic["minima"], (Json{0.666667, 0.666667}));
  EXPECT_EQ(basic["time"], (Json{{"exact", nullptr}, {"value", 3.0}}));
  EXPECT_EQ(basic["histogram"], (Json{{"0.666667", 6}}));
}

}  // namespace
}  // namespace fnn::testing
