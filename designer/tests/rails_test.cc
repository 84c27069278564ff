// SPDX-License-Identifier: GPL-3.0-or-later
#include "oracle/rails.h"

#include <gtest/gtest.h>

#include "design/evaluation.h"
#include "support.h"

namespace fnn::testing {
namespace {

std::optional<Wiring> rails(const Limits& limits) {
  Random random(1);
  return lay_rails(Wiring(limits), random);
}

TEST(Rails, EveryNodeIsOnEverySwitchThatIsWideEnough) {
  const Limits limits(read_spec(plain_spec(6, 2, 3, 8)));
  const auto wiring = rails(limits);
  ASSERT_TRUE(wiring.has_value());
  EXPECT_EQ(wiring->load(0), 6);
  EXPECT_EQ(wiring->load(1), 6);
  EXPECT_EQ(wiring->load(2), 0) << "no NIC is left for the third";
  EXPECT_TRUE(evaluate(*wiring, Demand::universal(Limits::at(limits.node_count()))).uncovered.empty());
}

TEST(Rails, OneWideSwitchSufficesAndTheOtherNicsArePlugged) {
  Json document = plain_spec(6, 2, 3, 4);
  document["switches"][1]["ports"] = 6;
  const Limits limits(read_spec(document));
  const auto wiring = rails(limits);
  ASSERT_TRUE(wiring.has_value());
  EXPECT_EQ(wiring->load(1), 6);
  EXPECT_EQ(wiring->load(0) + wiring->load(2), 6);
  EXPECT_EQ(broken_limit(*wiring), "");
}

TEST(Rails, AreNotLaidWhenNoSwitchIsWideEnough) {
  EXPECT_FALSE(rails(Limits(read_spec(plain_spec(6, 2, 3, 5)))).has_value());
}

TEST(Rails, AreNotLaidWhenANodeHasNoNicForThem) {
  Json document = plain_spec(3, 1, 1, 4);
  document["nodes"][2]["nics"] = {{{"speed_mbps", 1000}, {"media", "sfp"}}};
  document["switches"].push_back({{"name", "other"}, {"ports", {{{"count", 2}, {"media", "sfp"}}}}});
  EXPECT_FALSE(rails(Limits(read_spec(document))).has_value());
}

}  // namespace
}  // namespace fnn::testing
