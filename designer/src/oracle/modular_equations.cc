// SPDX-License-Identifier: GPL-3.0-or-later
#include "oracle/modular_equations.h"

#include <algorithm>

namespace fnn {

void ModularEquations::add(const std::vector<long long>& equation) {
  const auto modulus = static_cast<long long>(prime_);
  std::vector<std::uint64_t>& row = rows_.emplace_back();
  for (const long long number : equation) row.push_back(static_cast<std::uint64_t>((number % modulus + modulus) % modulus));
}

bool ModularEquations::solve() {
  for (std::size_t column = 0; column < unknowns_; ++column) {
    const auto first = rows_.begin() + static_cast<long>(rank_);
    const auto pivot = std::find_if(first, rows_.end(), [&](const auto& row) { return row[column] != 0; });
    if (pivot == rows_.end()) continue;
    std::iter_swap(first, pivot);
    eliminate(rank_++, column);
  }
  return std::all_of(rows_.begin() + static_cast<long>(rank_), rows_.end(),
                     [](const auto& row) { return row.back() == 0; });
}

void ModularEquations::eliminate(std::size_t own, std::size_t column) {
  const std::uint64_t inverse = inverse_of(rows_[own][column]);
  for (auto& number : rows_[own]) number = number * inverse % prime_;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const std::uint64_t factor = rows_[r][column];
    if (r == own || factor == 0) continue;
    for (std::size_t c = column; c <= unknowns_; ++c) {
      rows_[r][c] = (rows_[r][c] + (prime_ - factor) * rows_[own][c]) % prime_;
    }
  }
}

/// By Fermat's little theorem.
std::uint64_t ModularEquations::inverse_of(std::uint64_t number) const {
  std::uint64_t result = 1;
  std::uint64_t power = number;
  for (std::uint64_t exponent = prime_ - 2; exponent > 0; exponent /= 2, power = power * power % prime_) {
    if (exponent % 2 == 1) result = result * power % prime_;
  }
  return result;
}

}  // namespace fnn
