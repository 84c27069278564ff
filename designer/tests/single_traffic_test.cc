// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/single_traffic.h"

#include <gtest/gtest.h>

#include "fabrics.h"

namespace fnn::testing {
namespace {

TEST(SinglePair, IsLimitedByThePathThatIsFullFirst) {
  // n0 and n1 share red and blue; n2 shares red with both.
  const Fabric fabric = fabric_on({{0, 1}, {0, 1}, {0}});
  const Json equal = single_pair(fabric, Weights(3));
  EXPECT_EQ(equal["advanced"], equal["weighted"]);
  EXPECT_EQ(equal["advanced"], (Json{{"mean", 1.333333}, {"min", 1.0}}));  // 2, 1 and 1
  // A quarter of the flows on red: blue is full when the pair has 4/3 links.
  const Json weighted = single_pair(fabric, Weights(3, {{0, 1, {1, 3}}}));
  EXPECT_EQ(weighted["weighted"], (Json{{"mean", 1.111111}, {"min", 1.0}}));
  EXPECT_EQ(weighted["advanced"], equal["advanced"]);
}

TEST(SingleFlow, GetsOnePathByItsPart) {
  Fabric fabric = fabric_on({{0, 1}, {0, 1}});
  for (auto& of_node : fabric.legs) of_node[1].mbps = 3000;
  const Json flow = single_flow(fabric, choice_for(fabric), Weights(2, {{0, 1, {1, 3}}}));
  EXPECT_EQ(flow["advanced"]["mean"], 2.0);  // (1 + 3) / 2
  EXPECT_EQ(flow["weighted"]["mean"], 2.5);  // (1 + 3 * 3) / 4
}

TEST(SingleTraffic, WithoutASharedSwitchIsZero) {
  const Fabric fabric = fabric_on({{0}, {1}});
  EXPECT_EQ(single_pair(fabric, Weights(2))["weighted"]["mean"], 0.0);
  EXPECT_EQ(single_flow(fabric, choice_for(fabric), Weights(2))["basic"]["min"], 0.0);
}

}  // namespace
}  // namespace fnn::testing
