// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/splitting.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace fnn::testing {
namespace {

using Path = Splitting::Path;
constexpr std::uint32_t kNone = Splitting::kNoEdge;

TEST(Splitting, MovesFlexibleDemandsOffTheBusyEdge) {
  Splitting splitting({1, 1});
  splitting.add(2, {Path{0, kNone, kNone}});
  splitting.add(1, {Path{0, kNone, kNone}, Path{1, kNone, kNone}});
  EXPECT_EQ(splitting.largest(), 2.5);
  const Splitting::Answer answer = splitting.solve(0.001, 400);
  EXPECT_NEAR(answer.achieved, 2, 0.002);
  EXPECT_GE(answer.bound, 0.999 * answer.achieved);
  EXPECT_LE(answer.bound, 2 + 1e-9);
}

TEST(Splitting, BalancesChainsOfSharedEdges) {
  // Three demands over four edges in a row: 0-1, 1-2, 2-3. The mean load is 6/4 per edge.
  Splitting splitting({1, 1, 1, 1});
  splitting.add(4, {Path{0, kNone, kNone}, Path{1, kNone, kNone}});
  splitting.add(1, {Path{1, kNone, kNone}, Path{2, kNone, kNone}});
  splitting.add(1, {Path{2, kNone, kNone}, Path{3, kNone, kNone}});
  const Splitting::Answer answer = splitting.solve(0.001, 400);
  // The first demand has only two edges: two on each, regardless of the other demands.
  EXPECT_NEAR(answer.achieved, 2, 0.002);
  EXPECT_NEAR(answer.bound, 2, 0.002);
}

TEST(Splitting, FastEdgesCarryMore) {
  Splitting splitting({1, 10});
  splitting.add(11, {Path{0, kNone, kNone}, Path{1, kNone, kNone}});
  EXPECT_NEAR(splitting.solve(0.001, 400).achieved, 1, 0.001);
}

TEST(Splitting, APathLoadsAllItsEdges) {
  // Each path of the first demand shares an edge with another demand. An even split is optimal: 1.5 on shared edges.
  Splitting splitting({1, 1, 1});
  splitting.add(1, {Path{0, 1, kNone}, Path{2, kNone, kNone}});
  splitting.add(1, {Path{1, kNone, kNone}});
  splitting.add(1, {Path{2, kNone, kNone}});
  const Splitting::Answer answer = splitting.solve(0.001, 400);
  EXPECT_NEAR(answer.achieved, 1.5, 0.0015);
  EXPECT_NEAR(answer.bound, 1.5, 0.0015);
}

struct Instance {
  std::vector<double> capacity;
  std::vector<double> demands;
  std::vector<std::vector<Path>> paths;
};

Instance random_instance(Random& random) {
  Instance one;
  const std::size_t edges = 2 + random.below(20);
  for (std::size_t edge = 0; edge < edges; ++edge) one.capacity.push_back(random.one_in(3) ? 10 : 1);
  for (std::size_t demand = 1 + random.below(40); demand > 0; --demand) {
    one.demands.push_back(1 + static_cast<double>(random.below(3)));
    auto& paths = one.paths.emplace_back();
    for (std::size_t path = 1 + random.below(4); path > 0; --path) {
      const auto edge = [&] { return static_cast<std::uint32_t>(random.below(edges)); };
      const std::uint32_t first = edge();
      const std::uint32_t second = edge();
      paths.push_back({first, second == first ? kNone : second, kNone});
    }
  }
  return one;
}

/// The largest load when every demand uses one path, chosen at random.
double by_lot(const Instance& one, Random& random) {
  Splitting fixed(one.capacity);
  for (std::size_t i = 0; i < one.demands.size(); ++i) {
    fixed.add(one.demands[i], {one.paths[i][random.below(one.paths[i].size())]});
  }
  return fixed.largest();
}

TEST(Splitting, TheBoundIsTightAndHoldsForRandomSplittings) {
  Random random(1);
  for (int round = 0; round < 200; ++round) {
    const Instance one = random_instance(random);
    Splitting splitting(one.capacity);
    for (std::size_t i = 0; i < one.demands.size(); ++i) splitting.add(one.demands[i], one.paths[i]);
    const Splitting::Answer answer = splitting.solve(0.001, 400);
    EXPECT_LE(answer.bound, answer.achieved * (1 + 1e-9)) << "round " << round;
    EXPECT_GE(answer.bound, answer.achieved * 0.99) << "round " << round;
    for (int draw = 0; draw < 200; ++draw) EXPECT_GE(by_lot(one, random), answer.bound * (1 - 1e-9)) << "round " << round;
  }
}

}  // namespace
}  // namespace fnn::testing
