// SPDX-License-Identifier: GPL-3.0-or-later
//
// Proof by weak duality: a dual solution puts a price on a unit of every row's stock. If every column takes stock
// worth at least p, the columns add up to at most the value of all stock divided by p. The simplex method ends with
// prices for which this bound is tight. They are floating-point numbers, but the bound holds for any prices, so they
// are rounded and the sums are computed in integers.
#include "oracle/linear_program.h"

#include <algorithm>
#include <limits>

namespace fnn {
namespace {

constexpr double kTiny = 1e-9;
constexpr double kPriceUnits = 1 << 30;

/// Simplex tableau: rows are the constraints with their slack, the last one the reduced costs.
class Tableau {
 public:
  Tableau(const std::vector<long long>& stock, const std::vector<int>& taken, std::size_t columns)
      : rows_(stock.size()), columns_(columns), width_(columns + stock.size() + 1), cells_((rows_ + 1) * width_, 0) {
    for (std::size_t r = 0; r < rows_; ++r) {
      for (std::size_t c = 0; c < columns_; ++c) cell(r, c) = taken[c * rows_ + r];
      cell(r, columns_ + r) = 1;
      cell(r, width_ - 1) = static_cast<double>(stock[r]);
      basis_.push_back(columns_ + r);
    }
    for (std::size_t c = 0; c < columns_; ++c) cell(rows_, c) = 1;
  }

  /// Dantzig's rule: the column with the largest gain. After many steps, which suggest cycling, Bland's rule: the first
  /// column with a gain.
  std::size_t entering(bool first) const {
    std::size_t best = width_;
    double gain = kTiny;
    for (std::size_t c = 0; c + 1 < width_; ++c) {
      if (cell(rows_, c) <= gain) continue;
      best = c;
      if (first) break;
      gain = cell(rows_, c);
    }
    return best;
  }

  std::size_t leaving(std::size_t entering) const {
    std::size_t best = rows_;
    double least = std::numeric_limits<double>::max();
    for (std::size_t r = 0; r < rows_; ++r) {
      if (cell(r, entering) <= kTiny) continue;
      const double ratio = cell(r, width_ - 1) / cell(r, entering);
      if (best != rows_ && (ratio > least || (ratio == least && basis_[r] > basis_[best]))) continue;
      best = r;
      least = ratio;
    }
    return best;
  }

  void pivot(std::size_t row, std::size_t column) {
    const double scale = cell(row, column);
    for (std::size_t c = 0; c < width_; ++c) cell(row, c) /= scale;
    for (std::size_t r = 0; r <= rows_; ++r) {
      const double factor = cell(r, column);
      if (r == row || factor == 0) continue;
      for (std::size_t c = 0; c < width_; ++c) cell(r, c) -= factor * cell(row, c);
    }
    basis_[row] = column;
  }

  long long size() const { return static_cast<long long>(cells_.size()); }

  std::vector<double> amounts() const {
    std::vector<double> result(columns_, 0);
    for (std::size_t r = 0; r < rows_; ++r) {
      if (basis_[r] < columns_) result[basis_[r]] = cell(r, width_ - 1);
    }
    return result;
  }

  std::vector<double> prices() const {
    std::vector<double> result;
    for (std::size_t r = 0; r < rows_; ++r) result.push_back(-cell(rows_, columns_ + r));
    return result;
  }

 private:
  double& cell(std::size_t r, std::size_t c) { return cells_[r * width_ + c]; }
  double cell(std::size_t r, std::size_t c) const { return cells_[r * width_ + c]; }

  std::size_t rows_;
  std::size_t columns_;
  std::size_t width_;
  std::vector<double> cells_;
  std::vector<std::size_t> basis_;
};

}  // namespace

void LinearProgram::add_column(const std::vector<int>& taken) {
  taken_.insert(taken_.end(), taken.begin(), taken.end());
  ++columns_;
}

LinearProgram::Solution LinearProgram::solve() const {
  Tableau tableau(stock_, taken_, columns_);
  Solution solution;
  const std::size_t dantzig_steps = 4 * rows() + 8;
  for (std::size_t step = 0; step < 16 * dantzig_steps; ++step) {
    const std::size_t column = tableau.entering(step > dantzig_steps);
    if (column >= columns_ + rows()) break;
    const std::size_t row = tableau.leaving(column);
    if (row == rows()) break;
    tableau.pivot(row, column);
    solution.effort += tableau.size();
  }
  solution.effort += tableau.size();
  solution.amounts = tableau.amounts();
  solution.most = prove(tableau.prices());
  return solution;
}

long long LinearProgram::prove(const std::vector<double>& prices) const {
  if (columns_ == 0) return 0;
  std::vector<long long> whole;
  long long worth = 0;
  for (std::size_t r = 0; r < rows(); ++r) {
    whole.push_back(static_cast<long long>(std::clamp(prices[r], 0.0, 1.0) * kPriceUnits + 0.5));
    worth += whole[r] * stock_[r];
  }
  long long cheapest = std::numeric_limits<long long>::max();
  for (std::size_t c = 0; c < columns_; ++c) {
    long long sum = 0;
    for (std::size_t r = 0; r < rows(); ++r) sum += whole[r] * taken_[c * rows() + r];
    cheapest = std::min(cheapest, sum);
  }
  return cheapest > 0 ? worth / cheapest : std::numeric_limits<long long>::max();
}

}  // namespace fnn
