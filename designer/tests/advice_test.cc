// SPDX-License-Identifier: GPL-3.0-or-later
#include "oracle/advice.h"

#include <gtest/gtest.h>

#include "support.h"

namespace fnn::testing {
namespace {

TEST(Advice, KlatTwoNeedsOnlyThreeNicsAndSevenSwitchesWithTwentyEightPorts) {
  const Spec spec = read_spec(plain_spec(64, 4, 9, 31));
  const auto lean = lean_design(spec, Demand(spec));
  ASSERT_TRUE(lean);
  EXPECT_EQ(lean->nics, 3);
  EXPECT_EQ(lean->ports, 28);
  EXPECT_EQ(lean->switches, 7);
  EXPECT_GE(lean->sharing.mean, 1.0);
}

TEST(Advice, IsEmptyForASpecThatIsAlreadyMinimal) {
  const Spec spec = read_spec(plain_spec(64, 3, 7, 28));
  EXPECT_FALSE(lean_design(spec, Demand(spec)));
}

// A and B share both switches, C shares one with each of them: 4 shared switches over 3 pairs, two pairs
// without a spare switch.
TEST(Advice, CountsSharedSwitches) {
  const Limits limits(read_spec(plain_spec(3, 2, 2, 3)));
  Wiring wiring(limits);
  for (const auto& [nic, device] : {std::pair{0, 0}, {1, 1}, {2, 0}, {3, 1}, {4, 0}}) wiring.plug(nic, device);
  const Sharing sharing = sharing_of(wiring, Demand::universal(3));
  EXPECT_DOUBLE_EQ(sharing.mean, 4.0 / 3.0);
  EXPECT_DOUBLE_EQ(sharing.without_spare, 2.0 / 3.0);
  EXPECT_EQ(sharing.lost_with_worst_switch, 2);
}

}  // namespace
}  // namespace fnn::testing
