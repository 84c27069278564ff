// SPDX-License-Identifier: GPL-3.0-or-later
#include "oracle/type_assignment.h"

#include <algorithm>
#include <array>

#include "oracle/linear_program.h"

namespace fnn {
namespace {

using Count = long long;

class Assignment {
 public:
  Assignment(const TypeProblem& problem, const Types& family, int most_programs, Count most_effort)
      : problem_(problem), family_(family), programs_left_(most_programs), effort_left_(most_effort) {}

  TypeAssignment run() {
    const Count before = effort_left_;
    Shares shares(problem_.kinds.size(), std::vector<int>(family_.size(), 0));
    const Shares unlimited(shares.size(), std::vector<int>(family_.size(), problem_.nodes));
    TypeAssignment result;
    if (distribute(shares, unlimited)) result.shares = std::move(shares);
    result.is_exact = exact_;
    result.effort = before - effort_left_;
    return result;
  }

 private:
  using Column = std::array<std::size_t, 2>;  // kind and type

  /// Raises `shares`, the lower bounds per kind and type, to a complete design within the upper bounds `most`.
  bool distribute(Shares& shares, const Shares& most) {
    if (--programs_left_ < 0 || effort_left_ <= 0) return exact_ = false;
    std::vector<Count> rows(problem_.width.begin(), problem_.width.end());
    Count wanted = 0;
    for (std::size_t k = 0; k < shares.size(); ++k) {
      rows.push_back(static_cast<Count>(problem_.kinds[k].nodes.size()));
      for (std::size_t t = 0; t < family_.size(); ++t) {
        rows.back() -= shares[k][t];
        for (std::size_t j = 0; j < problem_.switches(); ++j) rows[j] -= holds(family_[t], j) ? shares[k][t] : 0;
      }
      wanted += rows.back();
    }
    std::vector<Column> columns;
    for (std::size_t k = 0; k < shares.size(); ++k) {
      for (std::size_t t = 0; t < family_.size(); ++t) {
        if (most[k][t] > shares[k][t] && problem_.allows(problem_.kinds[k], family_[t])) columns.push_back({k, t});
      }
    }
    for (const auto& [k, t] : columns) rows.push_back(most[k][t] - shares[k][t]);
    if (*std::min_element(rows.begin(), rows.end()) < 0) return false;

    LinearProgram program(rows);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      std::vector<int> taken(rows.size(), 0);
      for (std::size_t j = 0; j < problem_.switches(); ++j) taken[j] = holds(family_[columns[i][1]], j) ? 1 : 0;
      taken[problem_.switches() + columns[i][0]] = 1;
      taken[problem_.switches() + shares.size() + i] = 1;
      program.add_column(taken);
    }
    const auto solution = program.solve();
    effort_left_ -= solution.effort;
    if (solution.most < wanted) return false;
    return round(shares, most, columns, solution.amounts, wanted);
  }

  /// Rounds amounts down and branches on the fraction nearest to one half.
  bool round(Shares& shares, const Shares& most, const std::vector<Column>& columns, const std::vector<double>& amounts,
             Count wanted) {
    Shares whole = shares;
    std::size_t fractional = columns.size();
    double nearest = 1;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const auto [k, t] = columns[i];
      const int below = static_cast<int>(amounts[i] + kNegligible);
      const double off = std::max(amounts[i] - below - 0.5, 0.5 - (amounts[i] - below));
      whole[k][t] += below;
      wanted -= below;
      if (amounts[i] - below > kNegligible && off < nearest) {
        nearest = off;
        fractional = i;
      }
    }
    if (fractional == columns.size()) {
      if (wanted == 0) shares = whole;
      else exact_ = false;  // caused by rounding: the prices did not prove the integer amounts
      return wanted == 0;
    }
    const auto [k, t] = columns[fractional];
    const int below = whole[k][t];
    Shares more = shares;
    more[k][t] = below + 1;
    if (distribute(more, most)) {
      shares = more;
      return true;
    }
    Shares fewer = most;
    fewer[k][t] = below;
    return distribute(shares, fewer);
  }

  const TypeProblem& problem_;
  const Types& family_;
  int programs_left_;
  Count effort_left_;
  bool exact_ = true;
};

}  // namespace

TypeAssignment assign_nodes(const TypeProblem& problem, const Types& family, int most_programs, long long most_effort) {
  return Assignment(problem, family, most_programs, most_effort).run();
}

}  // namespace fnn
