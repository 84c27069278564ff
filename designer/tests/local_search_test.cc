// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/local_search.h"

#include <gtest/gtest.h>

#include "support.h"

namespace fnn::testing {
namespace {

TEST(LocalSearch, CoversTheSixNodesOfThePaperAlone) {
  const Limits limits(read_spec(data("six.json")));
  Random random(1);
  Wiring wiring(limits);
  wiring.fill(random);
  Neighborhoods now(wiring);
  anneal(now, Movable(limits), Objective{}, {0.8, 0.12, 20000}, random);
  EXPECT_EQ(now.uncovered(), 0);
  EXPECT_EQ(now.wiring().link_count(), 12) << "no NIC was given up for it";
}

TEST(LocalSearch, KeepsTheLimitsOfAnySpec) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Random random(seed);
    const Limits limits(read_spec(random_spec(random)));
    Wiring wiring(limits);
    wiring.fill(random);
    Neighborhoods now(wiring);
    anneal(now, Movable(limits), Objective{}, {1.0, 0.12, 2000}, random);
    EXPECT_EQ(broken_limit(now.wiring()), "") << "seed " << seed;
  }
}

TEST(LocalSearch, WithHomesItStaysWhereItIsWhenAllIsWell) {
  const Limits limits(read_spec(data("six.json")));
  Random random(1);
  Wiring wiring(limits);
  wiring.fill(random);
  Neighborhoods first(wiring);
  anneal(first, Movable(limits), Objective{}, {0.8, 0.12, 20000}, random);
  ASSERT_EQ(first.uncovered(), 0);
  const Homes homes(first.wiring());
  Neighborhoods second(first.wiring());
  // So cold that leaving home, a quarter of a pair, is never accepted: e^(-0.25/0.01) = 1e-11.
  anneal(second, Movable(limits), Objective{&homes}, {0.01, 0.01, 20000}, random);
  EXPECT_EQ(homes.kept(second.wiring()), 12);
}

}  // namespace
}  // namespace fnn::testing
