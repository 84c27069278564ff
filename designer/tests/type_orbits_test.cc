// SPDX-License-Identifier: GPL-3.0-or-later
#include "oracle/type_orbits.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/bitset.h"
#include "base/random.h"

namespace fnn::testing {
namespace {

constexpr std::size_t kMany = 100000;

Orbit orbit(const Cells& cells, Type type) { return {cells.counts_of(type), count_bits(type), 0}; }

Types types_of(const std::vector<Orbit>& orbits, const Cells& cells) {
  Types types;
  for (const Orbit& one : orbits) append_types(one, cells, types);
  std::sort(types.begin(), types.end());
  return types;
}

TEST(TypeOrbits, ListsAllSubsetsOfEachCell) {
  const Cells cells{{0b000111, 0b111000}};
  const Orbit one = orbit(cells, 0b101001);
  EXPECT_EQ(one.counts[0], 1);
  EXPECT_EQ(one.counts[1], 2);
  EXPECT_EQ(count_types(one, cells), 9);
  EXPECT_EQ(types_of({one}, cells).size(), 9U);
  EXPECT_EQ(cells.first_of(one.counts), 0b011001U);
}

TEST(TypeOrbits, OfThreeSwitchesEachWithTwoTwoTypesShareOne) {
  const Cells cells{{0b111}};
  const Orbit pair = orbit(cells, 0b011);
  EXPECT_EQ(least_shared(pair, pair, cells), 1);
  EXPECT_EQ(least_shared(pair, orbit(cells, 0b001), cells), 0);
}

// The types that remain are those of the definition, type by type.
TEST(TypeOrbits, RefiningKeepsTheTypesThatMeetAndDoNotContain) {
  Random random(7);
  for (int trial = 0; trial < 50; ++trial) {
    const Cells cells{{0b0000011111, 0b1111100000}};
    std::vector<Orbit> open;
    for (int links = 1; links <= 4; ++links) {
      for (int first = 0; first <= links; ++first) {
        open.push_back({{static_cast<std::uint8_t>(first), static_cast<std::uint8_t>(links - first)}, links, 0});
      }
    }
    const Orbit& chosen = open[random.below(open.size())];
    const Type type = cells.first_of(chosen.counts);
    const int shared = 1 + static_cast<int>(random.below(2));
    Types expected;
    for (const Type other : types_of(open, cells)) {
      const Type both = other & type;
      if (count_bits(both) >= shared && both != type && both != other) expected.push_back(other);
    }
    const auto refined = refine(cells, open, type, shared, kMany);
    ASSERT_TRUE(refined);
    EXPECT_EQ(types_of(refined->open, refined->cells), expected);
    for (const Type cell : refined->cells.members) EXPECT_TRUE((cell & type) == 0 || (cell & ~type) == 0);
  }
}

TEST(TypeOrbits, RefiningEndsAboveTheLimit) {
  const Cells cells{{0b11111111}};
  const std::vector<Orbit> open{orbit(cells, 0b1111)};
  EXPECT_TRUE(refine(cells, open, 0b1111, 1, 3));
  EXPECT_FALSE(refine(cells, open, 0b1111, 1, 2));
}

}  // namespace
}  // namespace fnn::testing
