// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/random.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace fnn {
namespace {

// Golden values: a change of the sequence changes every design, including the committed files.
TEST(RandomTest, GivesTheGoldenSequence) {
  Random random(1);
  std::vector<std::uint64_t> first;
  for (int i = 0; i < 4; ++i) first.push_back(random.next());
  EXPECT_EQ(first, (std::vector<std::uint64_t>{12966619160104079557U, 9600361134598540522U, 10590380919521690900U, 7218738570589545383U}));
}

TEST(RandomTest, BelowReachesEveryNumberAboutEquallyOften) {
  Random random(7);
  std::vector<int> seen(10, 0);
  for (int i = 0; i < 10000; ++i) ++seen[random.below(10)];
  for (const int count : seen) EXPECT_NEAR(count, 1000, 150);  // five standard deviations of 30
}

TEST(RandomTest, ShufflingKeepsEveryItem) {
  Random random(3);
  std::vector<int> items{1, 2, 3, 4, 5, 6, 7, 8};
  random.shuffle(items);
  EXPECT_FALSE(std::is_sorted(items.begin(), items.end()));
  std::sort(items.begin(), items.end());
  EXPECT_EQ(items, (std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8}));
}

}  // namespace
}  // namespace fnn
