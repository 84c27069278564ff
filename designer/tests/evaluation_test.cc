// SPDX-License-Identifier: GPL-3.0-or-later
#include "design/evaluation.h"

#include <gtest/gtest.h>

#include "support.h"

namespace fnn::testing {
namespace {

TEST(EvaluationTest, MarksThePairsThatShareNoSwitch) {
  // n000 and n001 are on s00, n002 is on s01: two of the three pairs share no switch.
  const Limits limits(read_spec(plain_spec(3, 1, 2, 2)));
  Wiring wiring(limits);
  wiring.plug(0, 0);
  wiring.plug(1, 0);
  wiring.plug(2, 1);
  EXPECT_EQ(evaluate(wiring, Demand::universal(3)).uncovered, (std::vector<std::pair<int, int>>{{0, 2}, {1, 2}}));
}

TEST(EvaluationTest, ANodeWithoutLinksSharesNoSwitch) {
  const Limits limits(read_spec(plain_spec(70, 1, 1, 70)));
  EXPECT_EQ(evaluate(Wiring(limits), Demand::universal(70)).uncovered.size(), 70U * 69U / 2U);
}

TEST(EvaluationTest, CountsEveryMissingSwitchOfAPair) {
  // Two nodes share one switch and must share three: the pair is uncovered, and two switches are missing.
  const Limits limits(read_spec(plain_spec(2, 3, 3, 2)));
  Wiring wiring(limits);
  wiring.plug(0, 0);
  wiring.plug(3, 0);
  const Evaluation found = evaluate(wiring, Demand::universal(2, 3));
  EXPECT_EQ(found.uncovered, (std::vector<std::pair<int, int>>{{0, 1}}));
  EXPECT_EQ(found.deficit, 2);
}

}  // namespace
}  // namespace fnn::testing
