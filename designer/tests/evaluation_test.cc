// SPDX-License-Identifier: GPL-3.0-or-later
#include "design/evaluation.h"

#include <gtest/gtest.h>

#include "support.h"

namespace fnn::testing {
namespace {

TEST(EvaluationTest, MarksThePairsThatShareNoSwitch) {
  // n000 and n001 on s00, n002 on s01: two of the three pairs are apart.
  const Limits limits(read_spec(plain_spec(3, 1, 2, 2)));
  Wiring wiring(limits);
  wiring.plug(0, 0);
  wiring.plug(1, 0);
  wiring.plug(2, 1);
  EXPECT_EQ(evaluate(wiring).uncovered, (std::vector<std::pair<int, int>>{{0, 2}, {1, 2}}));
}

TEST(EvaluationTest, ANodeWithoutLinksIsApartFromAll) {
  const Limits limits(read_spec(plain_spec(70, 1, 1, 70)));
  EXPECT_EQ(evaluate(Wiring(limits)).uncovered.size(), 70U * 69U / 2U);
}

}  // namespace
}  // namespace fnn::testing
