// SPDX-License-Identifier: GPL-3.0-or-later
// Bounds of numbers on the command line.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>
#include <sstream>
#include <string>

namespace fnn {

inline constexpr double kLongestSeconds = 1e9;  ///< fits into a clock duration
inline constexpr std::int64_t kMostSteps = 1000000000000;
inline constexpr std::int64_t kMostThreads = 1024;
/// CLI11 clamps greater numbers to the maximum, so the maximum itself is rejected.
inline constexpr std::int64_t kGreatestSeed = std::numeric_limits<std::int64_t>::max() - 1;

/// Accepts numbers from `least` to `most`. Unlike CLI::Range and CLI::NonNegativeNumber, it rejects nan.
template <typename Number>
CLI::Validator between(Number least, Number most) {
  std::ostringstream words;
  words.precision(std::numeric_limits<double>::max_digits10);
  words << least << " to " << most;
  const std::string range = words.str();
  const auto check = [least, most, range](const std::string& input) -> std::string {
    using CLI::detail::lexical_cast;
    Number value{};
    if (lexical_cast(input, value) && least <= value && value <= most) return {};
    return input + " is not a number from " + range;
  };
  return {check, "[" + range + "]", "between"};
}

/// Any whole number that is not negative.
inline CLI::Validator seed() { return between<std::int64_t>(0, kGreatestSeed); }

}  // namespace fnn
