// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/operators.h"

#include <gtest/gtest.h>

#include "support.h"

namespace fnn::testing {
namespace {

class Operators : public ::testing::Test {
 protected:
  // n000 and n001 on s00, n002 on s01 with a free port beside it.
  Operators() : limits_(read_spec(plain_spec(3, 1, 2, 2))), wiring_(limits_) {
    wiring_.plug(0, 0);
    wiring_.plug(1, 0);
    wiring_.plug(2, 1);
  }
  Limits limits_;
  Wiring wiring_;
  Random random_{1};
};

TEST_F(Operators, RelocateUsesOnlyTheFreePort) {
  const Neighborhoods now(wiring_);
  for (int i = 0; i < 100; ++i) {
    const auto move = Relocate().propose(now, Movable(limits_), random_);
    if (!move) continue;
    EXPECT_NE(move->nic, 2);
    EXPECT_EQ(move->to, 1);
  }
}

TEST_F(Operators, ExchangeTakesNicsOfTwoSwitches) {
  const Neighborhoods now(wiring_);
  for (int i = 0; i < 100; ++i) {
    const auto move = Exchange().propose(now, Movable(limits_), random_);
    if (!move) continue;
    EXPECT_NE(now.wiring().group(move->nic), now.wiring().group(move->other));
  }
}

TEST_F(Operators, BridgeBringsAnUncoveredPairTogether) {
  for (int i = 0; i < 100; ++i) {
    Neighborhoods now(wiring_);
    const auto move = Bridge().propose(now, Movable(limits_), random_);
    if (!move) continue;
    const int mover = now.wiring().node(move->nic);
    const int meets = now.wiring().device_of(move->to);
    EXPECT_TRUE((mover == 2) != (meets == 1)) << "2 goes to s00, or another comes to s01";
  }
}

TEST_F(Operators, BridgeHasNothingToDoWhenAllIsCovered) {
  wiring_.unplug(1);
  wiring_.unplug(2);
  const Limits all(read_spec(plain_spec(2, 1, 1, 2)));
  Wiring together(all);
  together.fill(random_);
  EXPECT_FALSE(Bridge().propose(Neighborhoods(together), Movable(all), random_).has_value());
}

TEST_F(Operators, FixedNicsAreNeverTouched) {
  std::vector<bool> fixed{true, false, false};
  const Movable movable(limits_, fixed);
  const Neighborhoods now(wiring_);
  const Exchange exchange;
  const Relocate relocate;
  const Shift shift;
  const Bridge bridge;
  for (const Operator* one : std::vector<const Operator*>{&exchange, &relocate, &shift, &bridge}) {
    for (int i = 0; i < 200; ++i) {
      const auto move = one->propose(now, movable, random_);
      if (!move) continue;
      EXPECT_NE(move->nic, 0);
      EXPECT_NE(move->other, 0);
    }
  }
}

}  // namespace
}  // namespace fnn::testing
