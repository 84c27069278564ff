// SPDX-License-Identifier: GPL-3.0-or-later
// Linear programs: the most that non-negative amounts can add up to within the stock there is.
#pragma once

#include <cstddef>
#include <vector>

namespace fnn {

/// Each column takes something of every row's stock and counts 1. Nothing is below 0.
class LinearProgram {
 public:
  explicit LinearProgram(std::vector<long long> stock) : stock_(std::move(stock)) {}

  std::size_t rows() const { return stock_.size(); }
  std::size_t columns() const { return columns_; }
  /// `taken` has one number per row.
  void add_column(const std::vector<int>& taken);

  struct Solution {
    std::vector<double> amounts;  ///< per column, up to rounding
    long long most = 0;           ///< no whole amounts add up to more; proved in whole numbers
    long long effort = 0;         ///< numbers touched: time, but the same on every machine
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
