// SPDX-License-Identifier: GPL-3.0-or-later
#include "oracle/refuted_families.h"

#include <gtest/gtest.h>

#include <numeric>

#include "base/random.h"

namespace fnn::testing {
namespace {

constexpr std::size_t kSwitches = 12;
const Cells kAlike{{(Type{1} << kSwitches) - 1}};

Type permuted(Type type, const std::vector<std::size_t>& places) {
  Type result = 0;
  for (std::size_t j = 0; j < places.size(); ++j) result |= (type >> j & 1U) << places[j];
  return result;
}

Types random_family(Random& random) {
  Types family;
  for (std::size_t i = 2 + random.below(6); i > 0; --i) {
    Type type = 0;
    for (int k = 0; k < 4; ++k) type |= Type{1} << random.below(kSwitches);
    family.push_back(type);
  }
  return family;
}

TEST(RefutedFamilies, ContainTheSameFamilyInAnyOrderOnOtherSwitches) {
  Random random(3);
  for (int trial = 0; trial < 200; ++trial) {
    const Types family = random_family(random);
    std::vector<std::size_t> places(kSwitches);
    std::iota(places.begin(), places.end(), 0);
    random.shuffle(places);
    Types copy;
    for (const Type type : family) copy.push_back(permuted(type, places));
    random.shuffle(copy);
    RefutedFamilies refuted(kAlike);
    EXPECT_FALSE(refuted.contains(copy));
    refuted.insert(family);
    EXPECT_TRUE(refuted.contains(copy)) << "trial " << trial;
  }
}

TEST(RefutedFamilies, StayTheSameOnceTheyAreFull) {
  RefutedFamilies refuted(kAlike, 1);
  refuted.insert({0b0011});
  refuted.insert({0b0111});
  EXPECT_TRUE(refuted.contains({0b1100}));
  EXPECT_FALSE(refuted.contains({0b0111}));
}

// Three types of three switches: any two meet at a switch of their own, or all three at one.
TEST(RefutedFamilies, DoNotContainAFamilyThatMeetsOtherwise) {
  RefutedFamilies refuted(kAlike);
  refuted.insert({0b000111, 0b011001, 0b101010});
  EXPECT_FALSE(refuted.contains({0b0000111, 0b0011001, 0b1100001}));
  EXPECT_FALSE(refuted.contains({0b000111, 0b011001}));
}

// Two hexagons and a cycle of twelve: color refinement cannot tell them apart.
TEST(RefutedFamilies, AreComparedBeyondTheirColors) {
  Types hexagons;
  Types cycle;
  for (int j = 0; j < 6; ++j) {
    hexagons.push_back(Type{1} << j | Type{1} << (j + 1) % 6);
    hexagons.push_back(Type{1} << (6 + j) | Type{1} << (6 + (j + 1) % 6));
  }
  for (int j = 0; j < 12; ++j) cycle.push_back(Type{1} << j | Type{1} << (j + 1) % 12);
  RefutedFamilies refuted(kAlike);
  refuted.insert(hexagons);
  EXPECT_TRUE(refuted.contains(hexagons));
  EXPECT_FALSE(refuted.contains(cycle));
}

TEST(RefutedFamilies, StayWithinTheCellsOfSwitches) {
  RefutedFamilies refuted(Cells{{0b0011, 0b1100}});
  refuted.insert({0b0101});
  EXPECT_TRUE(refuted.contains({0b1010}));
  EXPECT_FALSE(refuted.contains({0b0011}));
}

}  // namespace
}  // namespace fnn::testing
