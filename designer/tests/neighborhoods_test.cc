// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/neighborhoods.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "design/evaluation.h"
#include "search/operators.h"
#include "support.h"

namespace fnn::testing {
namespace {

int measured(const Neighborhoods& now) { return static_cast<int>(evaluate(now.wiring()).uncovered.size()); }

TEST(NeighborhoodsTest, JudgesEveryMoveOfEveryOperatorAsItTurnsOut) {
  const Exchange exchange;
  const Relocate relocate;
  const Shift shift;
  const Bridge bridge;
  int made = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Random random(seed);
    // Every fourth cluster has more than 64 nodes, for rows of two words.
    const Json document = seed % 4 == 3 ? plain_spec(70, 3, 9, 24) : random_spec(random);
    const Limits limits(read_spec(document));
    const Movable movable(limits);
    Wiring wiring(limits);
    wiring.fill(random);
    Neighborhoods now(wiring);
    for (int step = 0; step < 200; ++step) {
      const std::vector<const Operator*> operators{&exchange, &relocate, &shift, &bridge};
      const auto move = operators[random.below(4)]->propose(now, movable, random);
      if (!move) continue;
      const int before = measured(now);
      const int judged = now.judge(*move);
      now.make(*move, judged);
      ++made;
      ASSERT_EQ(measured(now), before + judged) << "seed " << seed << " step " << step;
      ASSERT_EQ(now.uncovered(), measured(now));
      ASSERT_EQ(broken_limit(now.wiring()), "") << "seed " << seed << " step " << step;
    }
  }
  EXPECT_GT(made, 2000);
}

TEST(NeighborhoodsTest, FindsEveryUncoveredPairSoonerOrLater) {
  const Limits limits(read_spec(plain_spec(3, 1, 2, 2)));
  Wiring wiring(limits);
  wiring.plug(0, 0);
  wiring.plug(1, 0);
  wiring.plug(2, 1);
  const Neighborhoods now(wiring);
  Random random(1);
  std::vector<std::pair<int, int>> found;
  for (int i = 0; i < 100; ++i) {
    const auto [a, b] = std::minmax({now.some_uncovered_pair(random).first, 2});
    found.emplace_back(a, b);
    const auto pair = now.some_uncovered_pair(random);
    EXPECT_TRUE(pair.first == 2 || pair.second == 2) << "only node 2 is apart";
  }
  EXPECT_NE(std::find(found.begin(), found.end(), std::pair(0, 2)), found.end());
  EXPECT_NE(std::find(found.begin(), found.end(), std::pair(1, 2)), found.end());
}

}  // namespace
}  // namespace fnn::testing
