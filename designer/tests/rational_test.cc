// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/rational.h"

#include <gtest/gtest.h>

#include <limits>

namespace fnn::testing {
namespace {

TEST(Rational, IsInLowestTermsWithAPositiveDenominator) {
  EXPECT_EQ(Rational(72, 56).text(), "9/7");
  EXPECT_EQ(Rational(8, -4).text(), "-2");
  EXPECT_EQ(Rational(0, 5), Rational(0));
  EXPECT_EQ(Rational(-3, -6).text(), "1/2");
}

TEST(Rational, AddsSubtractsMultipliesDividesAndCompares) {
  EXPECT_EQ(Rational(1, 6) + Rational(1, 3), Rational(1, 2));
  EXPECT_EQ(Rational(1, 6) - Rational(2, 3), Rational(-1, 2));
  EXPECT_EQ(Rational(8) * Rational(9, 7), Rational(72, 7));
  EXPECT_EQ(Rational(1) / Rational(-2, 3), Rational(-3, 2));
  EXPECT_TRUE(Rational(19, 7) < Rational(3));
  EXPECT_FALSE(Rational(1, 3) < Rational(2, 6));
  EXPECT_DOUBLE_EQ(Rational(9, 7).value(), 9.0 / 7);
}

TEST(Rational, OverflowIsMarkedAndPropagates) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  EXPECT_FALSE((Rational(kMost) * Rational(1, kMost)).has_overflowed());
  const Rational overflowed = Rational(1, kMost) + Rational(1, kMost - 1);
  EXPECT_TRUE(overflowed.has_overflowed());
  EXPECT_TRUE((overflowed + Rational(1)).has_overflowed());
  EXPECT_TRUE((overflowed * Rational(0)).has_overflowed());
  EXPECT_TRUE((Rational(1) / overflowed).has_overflowed());
  EXPECT_TRUE(Rational(1, 0).has_overflowed());
  EXPECT_EQ(exact_number(overflowed, 0.5), (Json{{"exact", nullptr}, {"value", 0.5}}));
  EXPECT_EQ(exact_number({9, 7}), (Json{{"exact", "9/7"}, {"value", 1.285714}}));
}

}  // namespace
}  // namespace fnn::testing
