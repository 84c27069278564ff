// SPDX-License-Identifier: GPL-3.0-or-later
// Sets of nodes as rows of 64-bit words, one row per switch or per node.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace fnn {

using Word = std::uint64_t;

inline std::size_t words_for(std::size_t bits) { return (bits + 63) / 64; }

/// Written out, because std::popcount is a call into a table on x86-64 without -mpopcnt.
inline int count_bits(Word word) {
  word -= (word >> 1U) & 0x5555555555555555U;
  word = (word & 0x3333333333333333U) + ((word >> 2U) & 0x3333333333333333U);
  word = (word + (word >> 4U)) & 0x0F0F0F0F0F0F0F0FU;
  return static_cast<int>((word * 0x0101010101010101U) >> 56U);
}

/// `rows` sets over `bits` members, all empty at first.
class BitRows {
 public:
  BitRows(std::size_t rows, std::size_t bits) : words_(words_for(bits)), data_(rows * words_, 0) {}

  std::size_t words() const { return words_; }
  Word* row(std::size_t r) { return data_.data() + r * words_; }
  const Word* row(std::size_t r) const { return data_.data() + r * words_; }

  bool has(std::size_t r, std::size_t bit) const { return (row(r)[bit / 64] >> (bit % 64) & 1U) != 0; }
  void insert(std::size_t r, std::size_t bit) { row(r)[bit / 64] |= Word{1} << (bit % 64); }
  void erase(std::size_t r, std::size_t bit) { row(r)[bit / 64] &= ~(Word{1} << (bit % 64)); }

  /// Inserts the members below `bits`.
  void fill(std::size_t r, std::size_t bits) {
    std::fill_n(row(r), bits / 64, ~Word{0});
    if (bits % 64 != 0) row(r)[bits / 64] |= (Word{1} << (bits % 64)) - 1;
  }

  bool operator==(const BitRows&) const = default;

 private:
  std::size_t words_;
  std::vector<Word> data_;
};

/// Calls visit(member) for every member of a set, in rising order.
template <typename Visit>
void for_each_member(const Word* row, std::size_t words, Visit visit) {
  for (std::size_t w = 0; w < words; ++w) {
    for (Word left = row[w]; left != 0; left &= left - 1) {
      visit(w * 64 + static_cast<std::size_t>(std::countr_zero(left)));
    }
  }
}

}  // namespace fnn
