// SPDX-License-Identifier: GPL-3.0-or-later
#include "design/pins.h"

#include <gtest/gtest.h>

#include "support.h"

namespace fnn::testing {
namespace {

TEST(Pins, ReplaceCablesOfThePinnedNicOrToThePinnedSwitch) {
  const Cabling pins = {{{0, 2}}, {}};
  const Cabling others = {{{0, 1}, {1, 2}, {2, 0}}, {{0, 0}}};
  EXPECT_EQ(with_pins(pins, others), (Cabling{{{0, 2}, {2, 0}}, {{0, 0}}}));
}

}  // namespace
}  // namespace fnn::testing
