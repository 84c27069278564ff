// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/wiring_text.h"

#include <gtest/gtest.h>

#include "search/difference.h"
#include "support.h"

namespace fnn::testing {
namespace {

TEST(WiringText, RoundTripKeepsTheOrderOfNicsInEveryGroup) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Random random(seed);
    const Limits limits(read_spec(random_spec(random)));
    Wiring wiring(limits);
    wiring.fill(random);
    const auto back = read_wiring(write_wiring(wiring), limits);
    ASSERT_TRUE(back) << "seed " << seed;
    for (std::size_t group = 0; group < limits.groups.size(); ++group) {
      EXPECT_EQ(back->nics_on(static_cast<int>(group)), wiring.nics_on(static_cast<int>(group)));
    }
    EXPECT_EQ(broken_limit(*back), "");
  }
}

// Three nodes with two NICs each, 0 to 5, and two switches of three ports.
TEST(WiringText, TextBeyondTheLimitsIsRejected) {
  const Limits limits(read_spec(plain_spec(3, 2, 2, 3)));
  EXPECT_TRUE(read_wiring("0 2 4;1 3 5;", limits));
  EXPECT_TRUE(read_wiring(";;", limits)) << "nothing plugged in";
  for (const char* wrong : {"", ";", ";;;", "0;1", "0 1;;", "0 0;;", "0;0;", "6;;", "-1;;", "0,2;;", "0 ;x;", "a"}) {
    EXPECT_FALSE(read_wiring(wrong, limits)) << wrong;
  }
}

TEST(Difference, IgnoresTheNamesOfSwitches) {
  const Limits limits(read_spec(plain_spec(4, 1, 2, 4)));
  const Wiring one = *read_wiring("0 1;2 3;", limits);
  EXPECT_FALSE(differ_widely(one, one));
  EXPECT_FALSE(differ_widely(one, *read_wiring("2 3;0 1;", limits)));
  EXPECT_TRUE(differ_widely(one, *read_wiring("0 2;1 3;", limits))) << "half of the cables are elsewhere";
}

}  // namespace
}  // namespace fnn::testing
