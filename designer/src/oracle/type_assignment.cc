// SPDX-License-Identifier: GPL-3.0-or-later
//
// Branch and bound
// ----------------
// All types meet, so only ports and nodes are limited: an integer program with one variable per kind and type. Its linear
// program has a bound and reduced costs (linear_program.h): what a node of a type that the solution does not use, or a
// port that it leaves unused, costs in nodes. If the bound is hardly above the number of nodes, few of these can be
// afforded. This holds where it is hardest to find out anything else: 120 nodes on 16 switches of 35 ports, of at most
// 120.3, can leave one port unused.
//
// reduced costs  Types and unused ports that cost too much are excluded (reduced-cost fixing). If few choices are left, the
//                search branches on these: used, or not.
// modulo         Switches that must be full are a system of equations (modular_equations.h). A solution in integers is one
//                modulo any prime, too. Without one, the case is refuted; with only one, it is decided.
// fractions      If many choices are left, the search branches on the fraction nearest to one half.
#include "oracle/type_assignment.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "base/stopping.h"
#include "oracle/linear_program.h"
#include "oracle/modular_equations.h"

namespace fnn {
namespace {

using Count = long long;
using std::size_t;

constexpr Count kFewChoices = 40;
constexpr Count kNoCost = LinearProgram::kCostUnit / 1000000;  // smaller reduced costs may be caused by rounding
constexpr std::array<std::uint64_t, 3> kPrimes = {2, 3, 2147483647};

class Assignment {
 public:
  Assignment(const TypeProblem& problem, const Types& family, const AssignmentLimits& limits)
      : problem_(problem), family_(family), left_(limits) {}

  TypeAssignment run() {
    const Count before = left_.effort;
    Case root;
    root.stock.assign(problem_.width.begin(), problem_.width.end());
    root.is_full.assign(problem_.switches(), false);
    for (size_t k = 0; k < problem_.kinds.size(); ++k) {
      root.stock.push_back(static_cast<Count>(problem_.kinds[k].nodes.size()));
      root.is_full.push_back(true);
      for (size_t t = 0; t < family_.size(); ++t) {
        if (problem_.allows(problem_.kinds[k], family_[t])) root.columns.push_back({k, t, problem_.nodes});
      }
    }
    TypeAssignment result;
    shares_.assign(problem_.kinds.size(), std::vector<int>(family_.size(), 0));
    if (distribute(root)) result.shares = std::move(shares_);
    result.is_exact = exact_;
    result.effort = before - left_.effort;
    return result;
  }

 private:
  struct Column {
    size_t kind;
    size_t type;
    int most;  ///< more nodes
  };

  /// Rows are the switches, then the kinds.
  struct Case {
    std::vector<Count> stock;     ///< ports and nodes left
    std::vector<bool> is_full;    ///< nothing of it may stay unused
    std::vector<Column> columns;  ///< that may have more nodes
  };

  size_t switches() const { return problem_.switches(); }

  bool takes(const Column& column, size_t row) const {
    return row < switches() ? holds(family_[column.type], row) : row - switches() == column.kind;
  }

  Count nodes_left(const Case& now) const {
    return std::accumulate(now.stock.begin() + static_cast<long>(switches()), now.stock.end(), Count{0});
  }

  /// Gives nodes to a column. Returns false where there is no room.
  bool give(Case& now, size_t column, int nodes) {
    Column& own = now.columns[column];
    own.most -= nodes;
    bool fits = own.most >= 0;
    for (size_t r = 0; r < now.stock.size(); ++r) {
      if (takes(own, r)) now.stock[r] -= nodes;
      fits = fits && now.stock[r] >= 0;
    }
    return fits;
  }

  /// With one kind, a row for its nodes would hide what unused ports cost.
  size_t rows() const { return switches() + (problem_.kinds.size() > 1 ? problem_.kinds.size() : 0); }

  LinearProgram::Solution relax(const Case& now) const {
    std::vector<Count> rows(now.stock.begin(), now.stock.begin() + static_cast<long>(this->rows()));
    std::vector<size_t> limit(now.columns.size(), 0);
    for (size_t i = 0; i < now.columns.size(); ++i) {
      if (now.columns[i].most >= nodes_left(now)) continue;
      limit[i] = rows.size();
      rows.push_back(now.columns[i].most);
    }
    LinearProgram program(rows);
    for (size_t i = 0; i < now.columns.size(); ++i) {
      std::vector<int> taken(rows.size(), 0);
      for (size_t r = 0; r < this->rows(); ++r) taken[r] = takes(now.columns[i], r) ? 1 : 0;
      if (limit[i] > 0) taken[limit[i]] = 1;
      program.add_column(taken);
    }
    return program.solve(nodes_left(now));
  }

  /// Distributes the nodes that are left. Where that succeeds, adds them to the shares.
  bool distribute(Case now) {
    const Count wanted = nodes_left(now);
    if (wanted == 0) return true;
    if (--left_.programs < 0 || left_.effort <= 0 || stop_requested(left_.deadline)) return exact_ = false;
    if (now.columns.empty()) return false;
    auto solution = relax(now);
    left_.effort -= solution.effort + static_cast<Count>(now.columns.size() * now.stock.size());
    if (solution.most < wanted) return false;
    if (take_whole(now, solution.amounts, wanted)) return true;
    exclude_unaffordable(now, solution);
    if (const auto decided = decide_modulo(now)) return *decided;
    return branch(now, solution);
  }

  bool take_whole(const Case& now, const std::vector<double>& amounts, Count wanted) {
    Count whole = 0;
    for (const double amount : amounts) whole += static_cast<Count>(amount + kNegligible);
    if (whole < wanted) return false;
    for (size_t i = 0; i < amounts.size(); ++i) {
      const Count nodes = std::min(wanted, static_cast<Count>(amounts[i] + kNegligible));
      shares_[now.columns[i].kind][now.columns[i].type] += static_cast<int>(nodes);
      wanted -= nodes;
    }
    return true;
  }

  /// Reduced-cost fixing; keeps the numbers of the remaining columns only.
  void exclude_unaffordable(Case& now, LinearProgram::Solution& solution) const {
    size_t kept = 0;
    for (size_t i = 0; i < now.columns.size(); ++i) {
      if (!solution.affords_column(i)) continue;
      now.columns[kept] = now.columns[i];
      solution.column_costs[kept] = solution.column_costs[i];
      solution.amounts[kept++] = solution.amounts[i];
    }
    now.columns.resize(kept);
    solution.column_costs.resize(kept);
    solution.amounts.resize(kept);
    for (size_t r = 0; r < switches(); ++r) {
      if (!solution.affords_unused(r)) now.is_full[r] = true;
    }
  }

  bool branch(Case& now, const LinearProgram::Solution& solution) {
    Count choices = 0;
    Count highest = kNoCost;
    std::optional<size_t> column;
    std::optional<size_t> row;
    for (size_t i = 0; i < now.columns.size(); ++i) {
      if (solution.column_costs[i] <= kNoCost || solution.amounts[i] > kNegligible) continue;
      choices += solution.budget / solution.column_costs[i];
      if (solution.column_costs[i] <= highest) continue;
      highest = solution.column_costs[i];
      column = i;
    }
    for (size_t r = 0; r < switches(); ++r) {
      if (now.is_full[r] || solution.row_costs[r] <= kNoCost) continue;
      choices += solution.budget / solution.row_costs[r];
      if (solution.row_costs[r] <= highest) continue;
      highest = solution.row_costs[r];
      row = r;
    }
    if (choices > kFewChoices) return branch_on_fraction(now, solution.amounts);
    if (row) return branch_on_unused_port(now, *row);
    if (column) return branch_on_column(now, *column, 0);
    return branch_on_fraction(now, solution.amounts);
  }

  bool branch_on_unused_port(Case& now, size_t row) {
    Case unused = now;
    if (--unused.stock[row] >= 0 && distribute(std::move(unused))) return true;
    now.is_full[row] = true;
    return distribute(std::move(now));
  }

  /// More than `below` nodes, or at most so many.
  bool branch_on_column(Case& now, size_t column, int below) {
    Case more = now;
    const Column own = now.columns[column];
    if (give(more, column, below + 1) && distribute(std::move(more))) {
      shares_[own.kind][own.type] += below + 1;
      return true;
    }
    if (below == 0) now.columns.erase(now.columns.begin() + static_cast<long>(column));
    else now.columns[column].most = below;
    return distribute(std::move(now));
  }

  bool branch_on_fraction(Case& now, const std::vector<double>& amounts) {
    size_t fractional = amounts.size();
    double nearest = 0.5 - kNegligible;
    for (size_t i = 0; i < amounts.size(); ++i) {
      const double off = std::abs(amounts[i] - static_cast<int>(amounts[i]) - 0.5);
      if (off >= nearest) continue;
      nearest = off;
      fractional = i;
    }
    if (fractional == amounts.size()) return exact_ = false;  // caused by rounding: the amounts are whole but too few
    return branch_on_column(now, fractional, static_cast<int>(amounts[fractional]));
  }

  /// The equations of the rows of which nothing may stay unused.
  ModularEquations equations_modulo(const Case& now, std::uint64_t prime) const {
    ModularEquations equations(now.columns.size(), prime);
    for (size_t r = 0; r < now.stock.size(); ++r) {
      if (!now.is_full[r]) continue;
      std::vector<Count> row;
      for (const Column& column : now.columns) row.push_back(takes(column, r) ? 1 : 0);
      row.push_back(now.stock[r]);
      equations.add(row);
    }
    return equations;
  }

  /// Decides the case by its equations; nothing where they have solutions modulo every prime, and several.
  std::optional<bool> decide_modulo(const Case& now) {
    for (const std::uint64_t prime : kPrimes) {
      ModularEquations equations = equations_modulo(now, prime);
      left_.effort -= static_cast<Count>(now.stock.size() * now.columns.size());
      if (!equations.solve()) return false;
      if (prime != kPrimes.back() || !equations.is_unique()) continue;
      Case rest = now;
      for (size_t i = 0; i < now.columns.size(); ++i) {
        const Count amount = equations.value(i);
        if (amount > now.columns[i].most || !give(rest, i, static_cast<int>(amount))) return false;
      }
      if (nodes_left(rest) != 0) return false;
      for (size_t i = 0; i < now.columns.size(); ++i) {
        shares_[now.columns[i].kind][now.columns[i].type] += static_cast<int>(equations.value(i));
      }
      return true;
    }
    return std::nullopt;
  }

  const TypeProblem& problem_;
  const Types& family_;
  AssignmentLimits left_;
  bool exact_ = true;
  Shares shares_;
};

}  // namespace

TypeAssignment assign_nodes(const TypeProblem& problem, const Types& family, const AssignmentLimits& limits) {
  return Assignment(problem, family, limits).run();
}

}  // namespace fnn
