// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/assignment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/random.h"

namespace fnn {
namespace {

int total(const std::vector<std::vector<int>>& gain, const std::vector<int>& column) {
  int sum = 0;
  for (std::size_t i = 0; i < gain.size(); ++i) sum += gain[i][static_cast<std::size_t>(column[i])];
  return sum;
}

TEST(Assignment, MatchesTheBestPermutation) {
  Random random(1);
  for (int round = 0; round < 100; ++round) {
    const std::size_t n = 1 + random.below(6);
    std::vector<std::vector<int>> gain(n, std::vector<int>(n));
    for (auto& row : gain) {
      for (int& value : row) value = static_cast<int>(random.below(10));
    }
    std::vector<int> order(n);
    std::iota(order.begin(), order.end(), 0);
    int best = 0;
    do best = std::max(best, total(gain, order));
    while (std::next_permutation(order.begin(), order.end()));
    EXPECT_EQ(total(gain, best_assignment(gain)), best);
  }
}

}  // namespace
}  // namespace fnn
