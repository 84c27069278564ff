// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/bitset.h"

#include <gtest/gtest.h>

#include <bit>

#include "base/random.h"

namespace fnn {
namespace {

TEST(Bitset, CountsBitsAsTheStandardLibraryDoes) {
  Random random(1);
  for (int i = 0; i < 1000; ++i) {
    const Word word = random.next() & random.next();
    EXPECT_EQ(count_bits(word), std::popcount(word));
  }
  EXPECT_EQ(count_bits(0), 0);
  EXPECT_EQ(count_bits(~Word{0}), 64);
}

TEST(Bitset, VisitsMembersAcrossWordsInOrder) {
  BitRows rows(2, 130);
  for (const std::size_t member : {0U, 63U, 64U, 129U}) rows.insert(1, member);
  rows.erase(1, 63);
  std::vector<std::size_t> seen;
  for_each_member(rows.row(1), rows.words(), [&](std::size_t member) { seen.push_back(member); });
  EXPECT_EQ(seen, (std::vector<std::size_t>{0, 64, 129}));
  EXPECT_FALSE(rows.has(0, 0));
}

TEST(Bitset, FillsAllMembersAndNothingBeyond) {
  for (const std::size_t bits : {1U, 63U, 64U, 65U, 130U}) {
    BitRows rows(3, bits);
    rows.fill(1, bits);
    std::size_t members = 0;
    for_each_member(rows.row(1), rows.words(), [&](std::size_t member) { EXPECT_EQ(member, members++); });
    EXPECT_EQ(members, bits);
    for (const std::size_t other : {0U, 2U}) {
      for (std::size_t word = 0; word < rows.words(); ++word) EXPECT_EQ(rows.row(other)[word], 0U);
    }
  }
}

}  // namespace
}  // namespace fnn
