// SPDX-License-Identifier: GPL-3.0-or-later
//
// The simplex method with a few of the columns at a time (sifting; R. Bixby and others 1992): it starts with those that
// look best, and adds columns that take less than they gain at the present prices, until there are none.
//
// Proof by weak duality: a dual solution puts a price on a unit of every row's stock. If every column takes stock
// worth at least p, the columns add up to at most the value of all stock divided by p. The simplex method ends with
// prices for which this bound is tight. They are floating-point numbers, but the bound holds for any prices, so they
// are rounded and the sums are computed in integers.
#include "oracle/linear_program.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace fnn {
namespace {

using std::size_t;

constexpr double kTiny = 1e-9;

/// Simplex tableau, column after column: the slack of each row, the stock, then the columns added. The last number of a
/// column is its reduced cost.
class Tableau {
 public:
  explicit Tableau(const std::vector<long long>& stock) : rows_(stock.size()), height_(rows_ + 1) {
    for (size_t r = 0; r < rows_; ++r) {
      cells_.resize(cells_.size() + height_, 0);
      cell(r, r) = 1;
      basis_.push_back(r);
    }
    for (const long long amount : stock) cells_.push_back(static_cast<double>(amount));
    cells_.push_back(0);
  }

  /// The numbers of a column, expressed in the present basis.
  void add(const int* taken) {
    const size_t column = columns();
    cells_.resize(cells_.size() + height_, 0);
    double worth = 0;
    for (size_t i = 0; i < rows_; ++i) {
      if (taken[i] == 0) continue;
      for (size_t r = 0; r < rows_; ++r) cell(r, column) += cell(r, i) * taken[i];
      worth += price(i) * taken[i];
    }
    cell(rows_, column) = 1 - worth;
  }

  /// Runs the simplex method on the present columns and returns the numbers touched.
  long long optimize() {
    long long effort = 0;
    const size_t dantzig_steps = 4 * rows_ + 8;
    for (size_t step = 0; step < 16 * dantzig_steps; ++step) {
      const size_t column = entering(step > dantzig_steps);
      if (column == columns()) break;
      const size_t row = leaving(column);
      if (row == rows_) break;
      pivot(row, column);
      effort += static_cast<long long>(cells_.size());
    }
    return effort + static_cast<long long>(cells_.size());
  }

  double price(size_t row) const { return -cells_[row * height_ + rows_]; }

  /// Amounts of the columns that were added, in that order.
  std::vector<double> amounts() const {
    std::vector<double> result(columns() - rows_ - 1, 0);
    for (size_t r = 0; r < rows_; ++r) {
      if (basis_[r] > rows_) result[basis_[r] - rows_ - 1] = cells_[rows_ * height_ + r];
    }
    return result;
  }

 private:
  size_t columns() const { return cells_.size() / height_; }
  double& cell(size_t r, size_t c) { return cells_[c * height_ + r]; }

  /// Dantzig's rule: the column with the largest gain. After many steps, which suggest cycling, Bland's rule: the first
  /// column with a gain.
  size_t entering(bool first) {
    size_t best = columns();
    double gain = kTiny;
    for (size_t c = 0; c < columns(); ++c) {
      if (c == rows_ || cell(rows_, c) <= gain) continue;
      best = c;
      if (first) break;
      gain = cell(rows_, c);
    }
    return best;
  }

  size_t leaving(size_t entering) {
    size_t best = rows_;
    double least = std::numeric_limits<double>::max();
    for (size_t r = 0; r < rows_; ++r) {
      if (cell(r, entering) <= kTiny) continue;
      const double ratio = cell(r, rows_) / cell(r, entering);
      if (best != rows_ && (ratio > least || (ratio == least && basis_[r] > basis_[best]))) continue;
      best = r;
      least = ratio;
    }
    return best;
  }

  void pivot(size_t row, size_t column) {
    factors_.assign(cells_.begin() + static_cast<long>(column * height_),
                    cells_.begin() + static_cast<long>((column + 1) * height_));
    const double scale = factors_[row];
    factors_[row] = 0;
    for (size_t c = 0; c < columns(); ++c) {
      double* const numbers = &cell(0, c);
      if (numbers[row] == 0) continue;
      const double part = numbers[row] / scale;
      for (size_t r = 0; r < height_; ++r) numbers[r] -= factors_[r] * part;
      numbers[row] = part;
    }
    basis_[row] = column;
  }

  size_t rows_;
  size_t height_;
  std::vector<double> cells_;
  std::vector<size_t> basis_;
  std::vector<double> factors_;
};

struct Candidate {
  double gain;
  size_t column;
  bool operator<(const Candidate& other) const {
    return gain != other.gain ? gain > other.gain : column < other.column;
  }
};

}  // namespace

void LinearProgram::add_column(const std::vector<int>& taken) {
  taken_.insert(taken_.end(), taken.begin(), taken.end());
  ++columns_;
}

double LinearProgram::worth_of(size_t column, const std::vector<double>& prices) const {
  const int* const taken = &taken_[column * rows()];
  double worth = 0;
  for (size_t r = 0; r < rows(); ++r) worth += prices[r] * taken[r];
  return worth;
}

/// Columns that gain more than that, at most two for each row; the best first.
std::vector<size_t> LinearProgram::best_columns(const std::vector<double>& prices, double least_gain,
                                                const std::vector<bool>& added) const {
  std::vector<Candidate> candidates;
  for (size_t c = 0; c < columns_; ++c) {
    const double gain = added[c] ? least_gain : 1 - worth_of(c, prices);
    if (gain > least_gain) candidates.push_back({gain, c});
  }
  const size_t batch = std::min(candidates.size(), 2 * rows());
  std::partial_sort(candidates.begin(), candidates.begin() + static_cast<long>(batch), candidates.end());
  std::vector<size_t> best;
  for (size_t i = 0; i < batch; ++i) best.push_back(candidates[i].column);
  return best;
}

LinearProgram::Solution LinearProgram::solve(long long wanted, const std::vector<double>& guess) const {
  Solution solution;
  if (!guess.empty()) {
    solution.effort += static_cast<long long>(taken_.size());
    solution.most = most_of(worth_at(guess));
    if (solution.most < wanted) return solution;
  }
  for (const long long amount : stock_) solution.prices.push_back(1.0 / static_cast<double>(std::max(amount, 1LL)));
  Tableau tableau(stock_);
  std::vector<size_t> added;
  std::vector<bool> is_added(columns_, false);
  double least_gain = -std::numeric_limits<double>::max();  // at first the prices are a guess
  while (true) {
    solution.effort += 2 * static_cast<long long>(taken_.size());
    const Worth worth = worth_at(solution.prices);
    solution.most = most_of(worth);
    if (solution.most < wanted) break;
    const std::vector<size_t> best = best_columns(solution.prices, least_gain, is_added);
    if (best.empty()) {
      set_costs(worth, wanted, solution);
      break;
    }
    least_gain = kTiny;
    for (const size_t column : best) {
      tableau.add(&taken_[column * rows()]);
      added.push_back(column);
      is_added[column] = true;
    }
    solution.effort += tableau.optimize();
    for (size_t r = 0; r < rows(); ++r) solution.prices[r] = tableau.price(r);
  }
  solution.amounts.assign(columns_, 0);
  const std::vector<double> amounts = tableau.amounts();
  for (size_t i = 0; i < added.size(); ++i) solution.amounts[added[i]] = amounts[i];
  return solution;
}

LinearProgram::Worth LinearProgram::worth_at(const std::vector<double>& prices) const {
  Worth worth;
  for (std::size_t r = 0; r < rows(); ++r) {
    worth.prices.push_back(static_cast<long long>(std::clamp(prices[r], 0.0, 1.0) * kCostUnit + 0.5));
    worth.stock += worth.prices[r] * stock_[r];
  }
  for (std::size_t c = 0; c < columns_; ++c) {
    const int* const taken = &taken_[c * rows()];
    worth.columns.push_back(std::inner_product(worth.prices.begin(), worth.prices.end(), taken, 0LL));
  }
  return worth;
}

long long LinearProgram::most_of(const Worth& worth) {
  if (worth.columns.empty()) return 0;
  const long long cheapest = worth.cheapest();
  return cheapest > 0 ? worth.stock / cheapest : std::numeric_limits<long long>::max();
}

/// With amounts x, sum s, unused stock u and the cheapest column's worth c:
/// c * s + sum of (worth - c) * x + sum of price * u = worth of the stock.
void LinearProgram::set_costs(const Worth& worth, long long wanted, Solution& solution) {
  if (worth.columns.empty()) return;
  const long long cheapest = worth.cheapest();
  solution.row_costs = worth.prices;
  solution.budget = worth.stock - cheapest * wanted;
  for (const long long of_column : worth.columns) solution.column_costs.push_back(of_column - cheapest);
}

}  // namespace fnn
