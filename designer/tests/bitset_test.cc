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

}  // namespace
}  // namespace fnn
