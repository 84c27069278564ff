// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/flows.h"

#include <gtest/gtest.h>

namespace fnn::testing {
namespace {

FlowPattern pattern(std::size_t nodes, const std::string& name, int group = 0) {
  for (const FlowPattern& one : standard_patterns(nodes)) {
    if (one.name == name && one.group == group) return one;
  }
  throw std::out_of_range(name);
}

TEST(Flows, ABinomialTreeDoublesTheHoldersOfTheMessage) {
  const std::vector<Level> expected = {{{0, 1}}, {{0, 2}, {1, 3}}, {{0, 4}, {1, 5}}};
  EXPECT_EQ(pattern(6, "binomial-tree").levels, expected);
  EXPECT_EQ(pattern(6, "binomial-tree").flows(), 5U);
}

TEST(Flows, EveryRankSendsInEveryLevelOfDissemination) {
  const std::vector<Level> expected = {{{0, 1}, {1, 2}, {2, 0}}, {{0, 2}, {1, 0}, {2, 1}}};
  EXPECT_EQ(pattern(3, "dissemination").levels, expected);
}

TEST(Flows, RecursiveDoublingSkipsMissingPartners) {
  const std::vector<Level> expected = {{{0, 1}, {1, 0}}, {{0, 2}, {2, 0}}};
  EXPECT_EQ(pattern(3, "recursive-doubling").levels, expected);
}

TEST(Flows, NeighborsInTwoDimensionsDoNotWrapAround) {
  // 0 1 2
  // 3 4
  const std::vector<Level> expected = {
      {{0, 1}, {1, 0}, {1, 2}, {2, 1}, {3, 4}, {4, 3}, {0, 3}, {3, 0}, {1, 4}, {4, 1}}};
  EXPECT_EQ(pattern(5, "neighbors-2d").levels, expected);
}

TEST(Flows, TheMiddleOfThreeDimensionsHasSixNeighbors) {
  // 27 nodes: three dimensions, each with nine lines of two neighboring pairs.
  const FlowPattern neighbors = pattern(27, "neighbors-3d");
  EXPECT_EQ(neighbors.flows(), 2U * 3 * 9 * 2);
  int of_the_middle = 0;
  for (const Flow flow : neighbors.levels.at(0)) of_the_middle += flow.from == 13 ? 1 : 0;
  EXPECT_EQ(of_the_middle, 6);
}

TEST(Flows, AnExchangeCoversOneGroupOrAllGroups) {
  EXPECT_EQ(pattern(7, "exchange-one", 2).levels, (std::vector<Level>{{{0, 1}, {0, 1}, {1, 0}, {1, 0}}}));
  EXPECT_EQ(pattern(7, "exchange-multi", 2).flows(), 12U) << "three groups of two, one node is left over";
  EXPECT_EQ(pattern(7, "exchange-multi", 4).flows(), 8U);
  EXPECT_EQ(pattern(7, "exchange-multi", 7).levels, pattern(7, "exchange-one", 7).levels);
  EXPECT_EQ(pattern(8, "exchange-multi", 8).flows(), 16U);
}

}  // namespace
}  // namespace fnn::testing
