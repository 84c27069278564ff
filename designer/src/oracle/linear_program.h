// SPDX-License-Identifier: GPL-3.0-or-later
// Linear programs: maximize the sum of non-negative amounts within a limited stock.
#pragma once

#include <cstddef>
#include <vector>

namespace fnn {

/// Each column takes an amount of every row's stock and has objective 1. All numbers are non-negative.
class LinearProgram {
 public:
  explicit LinearProgram(std::vector<long long> stock) : stock_(std::move(stock)) {}

  std::size_t rows() const { return stock_.size(); }
  std::size_t columns() const { return columns_; }
  /// `taken` has one number per row.
  void add_column(const std::vector<int>& taken);

  struct Solution {
    std::vector<double> amounts;  ///< per column, up to rounding
    long long most = 0;           ///< upper bound for integer amounts, proved in integer arithmetic
    long long effort = 0;         ///< numbers touched: a measure of time that is the same on every machine
  };

  /// The simplex method on a dense tableau.
  Solution solve() const;

 private:
  long long prove(const std::vector<double>& prices) const;

  std::vector<long long> stock_;
  std::vector<int> taken_;  ///< column after column
  std::size_t columns_ = 0;
};

}  // namespace fnn
