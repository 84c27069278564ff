// SPDX-License-Identifier: GPL-3.0-or-later
// The random generator: our own, so that a seed gives the same design with every compiler.
//
// The C++ standard defines the sequences of its engines, but not of its distributions; this class
// defines both. xoshiro256** by Blackman and Vigna (public domain), seeded through splitmix64.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fnn {

class Random {
 public:
  explicit Random(std::uint64_t seed);

  std::uint64_t next();

  /// A number from 0 to n - 1, for n from 1 to 2^32. Its bias is less than n in 2^32.
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(((next() >> 32U) * n) >> 32U); }

  /// The upper 32 bits, for comparison with a probability scaled to 2^32.
  std::uint32_t bits() { return static_cast<std::uint32_t>(next() >> 32U); }

  /// True once in n.
  bool one_in(std::size_t n) { return below(n) == 0; }

  /// Writes and reads the state as text; load() returns nothing when the text is no state.
  std::string save() const;
  static std::optional<Random> load(const std::string& text);

  template <typename Item>
  void shuffle(std::vector<Item>& items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  std::array<std::uint64_t, 4> state_{};
};

}  // namespace fnn
