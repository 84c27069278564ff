// SPDX-License-Identifier: GPL-3.0-or-later
#include "program/best_known.h"

#include <gtest/gtest.h>

namespace fnn::testing {
namespace {

TEST(BestKnown, AnEntryAlsoCountsForFewerNodesMoreNicsAndMorePorts) {
  EXPECT_EQ(fewest_known_switches(59, 6, 13), 28);
  EXPECT_EQ(fewest_known_switches(58, 6, 13), 28);
  EXPECT_EQ(fewest_known_switches(59, 7, 14), 28);
  EXPECT_EQ(fewest_known_switches(65, 6, 18), 20);
  EXPECT_EQ(fewest_known_switches(35, 6, 18), 17) << "the fewest of all entries that apply";
}

TEST(BestKnown, NothingIsImpliedForMoreNodesFewerNicsOrFewerPorts) {
  EXPECT_EQ(fewest_known_switches(200, 6, 13), std::nullopt);
  EXPECT_EQ(fewest_known_switches(59, 4, 13), std::nullopt);
  EXPECT_EQ(fewest_known_switches(59, 6, 12), std::nullopt);
}

}  // namespace
}  // namespace fnn::testing
