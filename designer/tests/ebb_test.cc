// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/ebb.h"

#include <gtest/gtest.h>

#include "evaluate/pair_measures.h"
#include "evaluate/route_loads.h"
#include "fabrics.h"
#include "support.h"

namespace fnn::testing {
namespace {

using std::size_t;

TEST(CountAll, CountsEveryBitOnce) {
  Random random(3);
  for (size_t count = 0; count < 70; ++count) {
    std::vector<Word> words;
    long long expected = 0;
    for (size_t i = 0; i < count; ++i) {
      words.push_back(random.next());
      expected += count_bits(words.back());
    }
    EXPECT_EQ(count_all(words.data(), count), expected);
  }
}

TEST(RandomOrders, AreUniform) {
  // Each of the 24 orders of four nodes is expected 1000 times, with a standard deviation of 31.
  std::map<std::vector<std::uint16_t>, int> seen;
  RandomOrders orders(4, 1);
  for (int i = 0; i < 24000; ++i) ++seen[orders.next()];
  EXPECT_EQ(seen.size(), 24U);
  for (const auto& [order, times] : seen) EXPECT_NEAR(times, 1000, 130);
}

/// Sums over independent pairs equal the link loads of all flows together.
TEST(PairSums, AgreeWithLoadsOfLinks) {
  Random random(1);
  for (int round = 0; round < cases(30, 100); ++round) {
    const Fabric fabric = random_fabric(random);
    const Choice choice = choice_for(fabric);
    PairSums sums(fabric, choice);
    RouteLoads loads(fabric, choice);
    RandomOrders orders(fabric.nodes(), 7);
    const auto order = orders.next();
    Level there;
    Level back;
    for (std::uint16_t i = 0; i + 1U < fabric.nodes(); i = static_cast<std::uint16_t>(i + 2)) {
      const auto next = static_cast<std::uint16_t>(i + 1);
      there.push_back({i, next});
      back.push_back({next, i});
    }
    const PairSums::Mbps mbps = sums.sum(order);
    EXPECT_NEAR(static_cast<double>(mbps.basic_forward), 1000 * loads.measure(there, order).sum[kBasic], 1e-6);
    EXPECT_NEAR(static_cast<double>(mbps.basic_backward), 1000 * loads.measure(back, order).sum[kBasic], 1e-6);
    EXPECT_NEAR(static_cast<double>(mbps.advanced), 1000 * loads.measure(there, order).sum[kAdvanced], 1e-6);
  }
}

TEST(EffectiveBisection, IsExactlyOneInEveryFnnWithBasicRouting) {
  for (const char* inventory : {"lab", "eight", "klat2", "homelab16/ports8"}) {
    const Fabric fabric = fabric_of(committed(inventory));
    const Json measured = effective_bisection(fabric, choice_for(fabric), {1, 500, 1})["basic"];
    const Json expected = {{"exact", "1"}, {"mean", 1.0}, {"low", 1.0}, {"high", 1.0}, {"patterns", 500}};
    EXPECT_EQ(measured["uni"], expected) << inventory;
    EXPECT_EQ(measured["sym"], expected) << inventory;
  }
}

TEST(EffectiveBisection, IsThePairwiseBandwidthWithAdvancedRouting) {
  const Fabric fabric = fabric_of(committed("klat2"));
  const Json measured = effective_bisection(fabric, choice_for(fabric), {1, 4000, 1})["advanced"]["uni"];
  EXPECT_EQ(measured["exact"], "1775/1008");  // (881 + 2 x 803 + 3 x 265 + 4 x 67) / 2016
  EXPECT_LE(measured["low"].get<double>(), 1775.0 / 1008);
  EXPECT_GE(measured["high"].get<double>(), 1775.0 / 1008);
  EXPECT_LT(measured["high"].get<double>() - measured["low"].get<double>(), 0.02);
}

TEST(EffectiveBisection, NinetyFivePercentOfIntervalsContainTheTrueMean) {
  // Of 1000 intervals 950 are expected to contain the true value, with a standard deviation of seven.
  const Fabric fabric = fabric_of(committed("homelab16/ports8"));
  const Choice choice = choice_for(fabric);
  const double truth = mean_pairwise(fabric).value();
  int held = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const Json measured = effective_bisection(fabric, choice, {seed, 150, 1})["advanced"]["uni"];
    held += measured["low"].get<double>() <= truth && truth <= measured["high"].get<double>() ? 1 : 0;
  }
  EXPECT_GE(held, 925);
  EXPECT_LE(held, 975);
}

TEST(EffectiveBisection, DoesNotDependOnTheThreads) {
  const Fabric fabric = fabric_of(committed("klat2"));
  const Choice choice = choice_for(fabric);
  const Json one = effective_bisection(fabric, choice, {5, 1000, 1});
  EXPECT_EQ(effective_bisection(fabric, choice, {5, 1000, 2}), one);
  EXPECT_EQ(effective_bisection(fabric, choice, {5, 1000, 7}), one);
  EXPECT_NE(effective_bisection(fabric, choice, {6, 1000, 7}), one);
}

TEST(EffectiveBisection, OfAnOversubscribedSwitchDependsOnTheDirections) {
  // Four nodes on a switch with the capacity of two links: two flows run at full rate, four flows at half.
  Fabric fabric = fabric_on({{0}, {0}, {0}, {0}});
  fabric.inside_mbps[0] = 2000;
  const Json measured = effective_bisection(fabric, choice_for(fabric), {1, 100, 1})["basic"];
  EXPECT_EQ(measured["uni"]["mean"], 1.0);
  EXPECT_EQ(measured["sym"]["mean"], 0.5);
  EXPECT_TRUE(measured["sym"]["exact"].is_null());
}

TEST(EffectiveBisection, PairsWithoutASharedSwitchHaveNoThroughput) {
  // Of six pairs only {0, 1} and {2, 3} share a switch.
  const Fabric fabric = fabric_on({{0}, {0}, {1}, {1}});
  EXPECT_EQ(effective_bisection(fabric, choice_for(fabric), {1, 100, 1})["basic"]["uni"]["exact"], "1/3");
}

}  // namespace
}  // namespace fnn::testing
