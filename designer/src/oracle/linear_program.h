// SPDX-License-Identifier: GPL-3.0-or-later
// Linear programs: maximize the sum of non-negative amounts within a limited stock.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace fnn {

/// Smaller amounts in a solution count as 0.
inline constexpr double kNegligible = 1e-7;

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
    std::vector<double> prices;   ///< of a unit of each row's stock
    long long most = 0;           ///< upper bound for the sum of the amounts, rounded down, proved in integer arithmetic
    long long effort = 0;         ///< numbers touched: a measure of time that is the same on every machine
    /// Reduced costs, in integers of one unit: of one of each column and of an unused unit of each row's stock. A solution
    /// with the wanted sum has a total cost of at most `budget`.
    std::vector<long long> column_costs{};
    std::vector<long long> row_costs{};
    long long budget = 0;

    bool affords_column(std::size_t column) const { return column_costs[column] <= budget; }
    bool affords_unused(std::size_t row) const { return row_costs[row] <= budget; }
  };

  /// One of the wanted sum, in the unit of the costs.
  static constexpr long long kCostUnit = 1 << 30;

  /// Ends early, without all amounts, once it has proved that `wanted` is too much. `guess`: prices that may prove it at
  /// once, of each row or none; the solution does not depend on them.
  Solution solve(long long wanted = 0, const std::vector<double>& guess = {}) const;

 private:
  double worth_of(std::size_t column, const std::vector<double>& prices) const;
  std::vector<std::size_t> best_columns(const std::vector<double>& prices, double least_gain,
                                        const std::vector<bool>& added) const;
  /// Prices in integers, and what that makes the stock and one of each column worth.
  struct Worth {
    std::vector<long long> prices;
    long long stock = 0;
    std::vector<long long> columns;
    long long cheapest() const { return *std::min_element(columns.begin(), columns.end()); }
  };
  Worth worth_at(const std::vector<double>& prices) const;
  /// The upper bound for the sum of the amounts.
  static long long most_of(const Worth& worth);
  static void set_costs(const Worth& worth, long long wanted, Solution& solution);

  std::vector<long long> stock_;
  std::vector<int> taken_;  ///< column after column
  std::size_t columns_ = 0;
};

}  // namespace fnn
