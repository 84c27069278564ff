// SPDX-License-Identifier: GPL-3.0-or-later
// Systems of linear equations modulo a prime. Integers that solve the equations solve them modulo every prime.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fnn {

class ModularEquations {
 public:
  /// A prime of at most 32 bits.
  ModularEquations(std::size_t unknowns, std::uint64_t prime) : unknowns_(unknowns), prime_(prime) {}

  /// An equation: the coefficients of all unknowns, then the right side.
  void add(const std::vector<long long>& equation);

  /// Gaussian elimination. Returns whether there is a solution.
  bool solve();

  /// After solve(): whether there is only one.
  bool is_unique() const { return rank_ == unknowns_; }
  /// Of an unknown of the only solution, from 0 on.
  long long value(std::size_t unknown) const { return static_cast<long long>(rows_[unknown].back()); }

 private:
  void eliminate(std::size_t own, std::size_t column);
  std::uint64_t inverse_of(std::uint64_t number) const;

  std::size_t unknowns_;
  std::uint64_t prime_;
  std::size_t rank_ = 0;
  std::vector<std::vector<std::uint64_t>> rows_;
};

}  // namespace fnn
