// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/random.h"

#include <algorithm>
#include <bit>
#include <cinttypes>
#include <cstdio>

namespace fnn {

Random::Random(std::uint64_t seed) {
  for (std::uint64_t& word : state_) {
    seed += 0x9E3779B97F4A7C15U;
    std::uint64_t mixed = (seed ^ (seed >> 30U)) * 0xBF58476D1CE4E5B9U;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94D049BB133111EBU;
    word = mixed ^ (mixed >> 31U);
  }
}

std::uint64_t Random::next() {
  const std::uint64_t result = std::rotl(state_[1] * 5U, 7) * 9U;
  const std::uint64_t shifted = state_[1] << 17U;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

std::string Random::save() const {
  std::string text;
  for (const std::uint64_t word : state_) {
    std::array<char, 17> digits{};
    std::snprintf(digits.data(), digits.size(), "%016" PRIx64, word);
    text += digits.data();
  }
  return text;
}

std::optional<Random> Random::load(const std::string& text) {
  Random random(0);
  if (text.size() != 16 * random.state_.size()) return std::nullopt;
  if (text.find_first_not_of("0123456789abcdef") != std::string::npos) return std::nullopt;
  for (std::size_t i = 0; i < random.state_.size(); ++i) {
    random.state_[i] = std::stoull(text.substr(16 * i, 16), nullptr, 16);
  }
  // From a state of zeros the generator would produce only zeros.
  const auto is_zero = [](std::uint64_t word) { return word == 0; };
  if (std::all_of(random.state_.begin(), random.state_.end(), is_zero)) return std::nullopt;
  return random;
}

}  // namespace fnn
