// SPDX-License-Identifier: GPL-3.0-or-later
#include "program/best_known.h"

#include <gtest/gtest.h>

namespace fnn::testing {
namespace {

TEST(BestKnown, AnEntryAlsoCountsForFewerNodesMoreNicsAndMorePorts) {
  EXPECT_EQ(fewest_known_switches(46, 6, 11), 23);
  EXPECT_EQ(fewest_known_switches(45, 6, 11), 23);
  EXPECT_EQ(fewest_known_switches(46, 7, 12), 23);
  EXPECT_EQ(fewest_known_switches(117, 6, 26), 28);
  EXPECT_EQ(fewest_known_switches(57, 6, 18), 18) << "the fewest of all entries that apply";
}

TEST(BestKnown, NothingIsImpliedForMoreNodesFewerNicsOrFewerPorts) {
  EXPECT_EQ(fewest_known_switches(200, 6, 11), std::nullopt);
  EXPECT_EQ(fewest_known_switches(46, 4, 11), std::nullopt);
  EXPECT_EQ(fewest_known_switches(46, 6, 10), std::nullopt);
}

}  // namespace
}  // namespace fnn::testing
