// SPDX-License-Identifier: GPL-3.0-or-later
//
// Searching over types
// --------------------
// With b switches there are only 2^b sets of switches, and a node is determined by such a set, its type. Two nodes
// share a switch when their types intersect ("meet"). The identity of nodes does not matter: a design is a family of
// types of which any two meet, and a number of nodes for each of them.
//
//     six nodes with 2 NICs, switches a, b, c of 4 ports:    2 x ab    2 x ac    2 x bc
//
// The method is branch and bound. Port limits are linear: the nodes whose type has a switch must fit its ports.
// Meeting is not. A case of the search is a set of used types and a set of open types, each of which meets all used
// ones. Its linear program relaxes the case: open types that do not meet may be used together. If it has no room for
// all nodes, the case is closed. Otherwise, if two types in its solution do not meet, the search branches on one of
// them, used or not: two smaller cases.
//
// Three techniques make the search fast enough for proofs:
//
// symmetry    Switches of equal width and media that belong to the same used types are equivalent (a cell), and so
//             are open types with as many switches of each cell (an orbit). If one of them is used, it may as well
//             be the first; if not, none of them is (orbital branching). The linear program needs one
//             column per orbit and one row per cell.
// need        The search looks for a design in which no cable is redundant. Then no used type
//             contains another, and each switch of a used type is needed: some other used type meets
//             it there and in no more switches than necessary.
// proof       The linear programs are solved in floating point, but the bounds that close cases are proved in
//             integers (linear_program.cc). Rounding can make the search slow but never wrong.
//
// The method does not require pairs to share exactly one switch: "meet" means in `shared` switches.
#include "oracle/type_search.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>

#include "base/bitset.h"
#include "base/stopping.h"
#include "oracle/linear_program.h"

namespace fnn {
namespace {

using Count = long long;
using Cells = std::array<std::uint8_t, kMostTypeSwitches>;  // the cell of each switch

constexpr double kNegligible = 1e-7;  // smaller amounts of a type count as 0
constexpr int kRoundingCases = 60;
constexpr std::size_t kMostTypes = 20000;

int size_of(Type type) { return count_bits(type); }

bool holds(Type type, std::size_t device) { return (type >> device & 1U) != 0; }

/// Equivalent open types: the same number of switches of each cell.
struct Orbit {
  std::uint64_t key = 0;  // four bits per cell
  Type first = 0;
  int size = 0;
  bool used = false;

  int in_cell(std::size_t cell) const { return static_cast<int>(key >> (4 * cell) & 15U); }
};

struct Case {
  std::vector<Type> used;
  std::vector<Type> open;
  Cells cells{};
  std::size_t cell_count = 0;
};

/// Nodes per kind and type, indexed as the kinds of the problem and the types of the family.
using Shares = std::vector<std::vector<int>>;

class TypeSearch {
 public:
  TypeSearch(const TypeProblem& problem, Count effort) : problem_(problem), effort_(effort) {}

  TypeOutcome run() {
    Case root;
    root.cell_count = number_cells(root.cells, [&](std::size_t j) {
      return std::array<int, 2>{problem_.width[j], problem_.media[j]};
    });
    root.open = all_types();
    outcome_.most_nodes = 0;
    if (root.open.size() > kMostTypes) return outcome_;
    const bool found = examine(root);
    if (found) outcome_.verdict = TypeVerdict::kFound;
    else if (effort_ > 0 && !rounding_failed_) outcome_.verdict = TypeVerdict::kImpossible;
    return outcome_;
  }

 private:
  std::size_t switches() const { return problem_.width.size(); }

  /// Numbers cells: switches with the same mark get the same number.
  template <typename Mark>
  std::size_t number_cells(Cells& cells, Mark mark) const {
    std::map<decltype(mark(0)), std::uint8_t> numbers;
    for (std::size_t j = 0; j < switches(); ++j) {
      cells[j] = numbers.emplace(mark(j), static_cast<std::uint8_t>(numbers.size())).first->second;
    }
    return numbers.size();
  }

  bool allowed(const TypeKind& kind, Type type) const {
    std::vector<int> nics = kind.nics;
    for (std::size_t j = 0; j < switches(); ++j) {
      if (holds(type, j) && --nics[static_cast<std::size_t>(problem_.media[j])] < 0) return false;
    }
    return true;
  }

  /// Types that some kind of node can have and with which a node can meet all others.
  std::vector<Type> all_types() const {
    std::vector<Type> types;
    for (Type type = 1; type < Type{1} << switches(); ++type) {
      if (size_of(type) < problem_.shared) continue;
      Count met = 0;
      for (std::size_t j = 0; j < switches(); ++j) met += holds(type, j) ? problem_.width[j] - 1 : 0;
      if (met < Count{problem_.shared} * (problem_.nodes - 1)) continue;
      const auto& kinds = problem_.kinds;
      if (std::any_of(kinds.begin(), kinds.end(), [&](const TypeKind& kind) { return allowed(kind, type); })) {
        types.push_back(type);
      }
    }
    return types;
  }

  bool meet(Type one, Type other) const { return size_of(one & other) >= problem_.shared; }

  /// In a design without a redundant cable, a used type shares each of its switches with a type that has exactly the
  /// required number of switches in common with it.
  bool every_switch_is_needed(const Case& now) const {
    const auto needs = [&](Type type, std::size_t device) {
      const auto just_there = [&](Type other) {
        return holds(other, device) && other != type && size_of(other & type) == problem_.shared;
      };
      return std::any_of(now.used.begin(), now.used.end(), just_there) ||
             std::any_of(now.open.begin(), now.open.end(), just_there);
    };
    for (const Type type : now.used) {
      if (size_of(type) == problem_.shared) continue;
      for (std::size_t j = 0; j < switches(); ++j) {
        if (holds(type, j) && !needs(type, j)) return false;
      }
    }
    return true;
  }

  std::uint64_t key_of(Type type, const Cells& cells) const {
    std::uint64_t key = 0;
    for (std::size_t j = 0; j < switches(); ++j) {
      if (holds(type, j)) key += std::uint64_t{1} << (4 * cells[j]);
    }
    return key;
  }

  std::vector<Orbit> orbits_of(const Case& now) const {
    std::vector<Orbit> orbits;
    for (const Type type : now.used) orbits.push_back({key_of(type, now.cells), type, 1, true});
    std::map<std::uint64_t, std::size_t> place;
    for (const Type type : now.open) {
      const std::uint64_t key = key_of(type, now.cells);
      const auto [known, fresh] = place.emplace(key, orbits.size());
      if (fresh) orbits.push_back({key, type, 0, false});
      ++orbits[known->second].size;
    }
    return orbits;
  }

  /// Whether all types of two orbits meet: by pigeonhole, two types share switches of a cell if they have more than
  /// it holds.
  bool all_meet(const Orbit& one, const Orbit& other, const std::vector<int>& cell_sizes) const {
    int shared = 0;
    for (std::size_t c = 0; c < cell_sizes.size(); ++c) {
      shared += std::max(0, one.in_cell(c) + other.in_cell(c) - cell_sizes[c]);
    }
    if (one.key == other.key && one.size == 1) shared = size_of(one.first);
    return shared >= problem_.shared;
  }

  struct Stock {
    std::vector<Count> rows;  // the ports of each cell, then the nodes of each kind
    Count nodes = 0;          // of all kinds
    Count placed = 0;         // nodes that are already subtracted
  };

  /// A used type has at least one node; with one kind of nodes, its kind is known.
  Stock stock_of(const Case& now) const {
    Stock stock;
    stock.rows.assign(now.cell_count, 0);
    for (std::size_t j = 0; j < switches(); ++j) stock.rows[now.cells[j]] += problem_.width[j];
    for (const TypeKind& kind : problem_.kinds) stock.rows.push_back(static_cast<Count>(kind.nodes.size()));
    stock.nodes = problem_.nodes;
    if (problem_.kinds.size() > 1) return stock;
    stock.placed = static_cast<Count>(now.used.size());
    stock.nodes -= stock.placed;
    stock.rows.back() -= stock.placed;
    for (const Type type : now.used) {
      for (std::size_t j = 0; j < switches(); ++j) stock.rows[now.cells[j]] -= holds(type, j) ? 1 : 0;
    }
    return stock;
  }

  /// The LP relaxation: nodes per orbit; nothing when there is no room for all nodes.
  std::optional<std::vector<double>> relax(const Case& now, const std::vector<Orbit>& orbits) {
    const Stock stock = stock_of(now);
    if (*std::min_element(stock.rows.begin(), stock.rows.end()) < 0) return std::nullopt;
    LinearProgram program(stock.rows);
    std::vector<std::size_t> orbit_of_column;
    std::vector<int> taken(stock.rows.size());
    for (std::size_t o = 0; o < orbits.size(); ++o) {
      for (std::size_t c = 0; c < now.cell_count; ++c) taken[c] = orbits[o].in_cell(c);
      for (std::size_t k = 0; k < problem_.kinds.size(); ++k) {
        if (!allowed(problem_.kinds[k], orbits[o].first)) continue;
        std::fill(taken.begin() + static_cast<long>(now.cell_count), taken.end(), 0);
        taken[now.cell_count + k] = 1;
        program.add_column(taken);
        orbit_of_column.push_back(o);
      }
    }
    const auto solution = program.solve();
    effort_ -= solution.effort;
    if (solution.most < stock.nodes) {
      outcome_.most_nodes = std::max(outcome_.most_nodes, static_cast<int>(solution.most + stock.placed));
      return std::nullopt;
    }
    std::vector<double> amounts;
    for (const Orbit& orbit : orbits) amounts.push_back(orbit.used && stock.placed > 0 ? 1 : 0);
    for (std::size_t i = 0; i < orbit_of_column.size(); ++i) amounts[orbit_of_column[i]] += solution.amounts[i];
    return amounts;
  }

  bool examine(const Case& now) {
    ++outcome_.cases;
    if (stop_requested()) effort_ = 0;
    effort_ -= static_cast<Count>(now.open.size() * (4 + now.used.size()));
    if (effort_ <= 0) return false;
    if (!every_switch_is_needed(now)) return false;
    const std::vector<Orbit> orbits = orbits_of(now);
    const auto amounts = relax(now, orbits);
    if (!amounts) return false;
    const std::optional<std::size_t> choice = branching_orbit(now, orbits, *amounts);
    if (!choice) {
      if (find_integer_solution(now, orbits, *amounts)) return true;
      if (now.open.empty()) return record_infeasible_case();
    }
    return branch(now, orbits[choice ? *choice : largest_open(orbits, *amounts)]);
  }

  /// The linear program has room for all nodes, but no integer solution was found.
  bool record_infeasible_case() {
    outcome_.most_nodes = std::max(outcome_.most_nodes, problem_.nodes - 1);
    return false;
  }

  /// The branching orbit: the one with the largest conflict in the solution; none without conflicts.
  std::optional<std::size_t> branching_orbit(const Case& now, const std::vector<Orbit>& orbits,
                                             const std::vector<double>& amounts) const {
    std::vector<int> cell_sizes(now.cell_count, 0);
    for (std::size_t j = 0; j < switches(); ++j) ++cell_sizes[now.cells[j]];
    std::optional<std::size_t> best;
    double most = 0;
    for (std::size_t o = 0; o < orbits.size(); ++o) {
      if (amounts[o] < kNegligible || orbits[o].used) continue;
      double against = 0;
      for (std::size_t p = 0; p < orbits.size(); ++p) {
        if (amounts[p] >= kNegligible && !all_meet(orbits[o], orbits[p], cell_sizes)) against += amounts[p];
      }
      if (amounts[o] * against > most) {
        most = amounts[o] * against;
        best = o;
      }
    }
    return best;
  }

  static std::size_t largest_open(const std::vector<Orbit>& orbits, const std::vector<double>& amounts) {
    std::size_t best = orbits.size();
    for (std::size_t o = 0; o < orbits.size(); ++o) {
      if (!orbits[o].used && (best == orbits.size() || amounts[o] > amounts[best])) best = o;
    }
    return best;
  }

  bool branch(const Case& now, const Orbit& orbit) {
    Case used = now;
    used.used.push_back(orbit.first);
    used.cell_count = number_cells(used.cells, [&](std::size_t j) {
      return std::array<int, 2>{now.cells[j], holds(orbit.first, j) ? 1 : 0};
    });
    const auto unfit = [&](Type type) {
      const Type both = type & orbit.first;
      return !meet(type, orbit.first) || both == type || both == orbit.first;
    };
    std::erase_if(used.open, unfit);
    if (examine(used)) return true;
    Case unused = now;
    std::erase_if(unused.open, [&](Type type) { return key_of(type, now.cells) == orbit.key; });
    return examine(unused);
  }

  /// All types of the solution meet. Searches for integer numbers of nodes: with no type open this decides the case,
  /// otherwise it is a heuristic.
  bool find_integer_solution(const Case& now, const std::vector<Orbit>& orbits, const std::vector<double>& amounts) {
    std::vector<Type> family = now.used;
    for (std::size_t o = 0; o < orbits.size(); ++o) {
      if (orbits[o].used || amounts[o] < kNegligible) continue;
      for (const Type type : now.open) {
        if (key_of(type, now.cells) == orbits[o].key) family.push_back(type);
      }
    }
    int left = now.open.empty() ? std::numeric_limits<int>::max() : kRoundingCases;
    Shares shares(problem_.kinds.size(), std::vector<int>(family.size(), 0));
    const Shares unlimited(shares.size(), std::vector<int>(family.size(), problem_.nodes));
    if (!distribute_nodes(family, shares, unlimited, left)) return false;
    for (const std::vector<int>& of_kind : shares) {
      std::vector<Type>& types = outcome_.types.emplace_back();
      for (std::size_t t = 0; t < family.size(); ++t) {
        types.insert(types.end(), static_cast<std::size_t>(of_kind[t]), family[t]);
      }
    }
    return true;
  }

  using Column = std::array<std::size_t, 2>;  // kind and type

  /// Raises `shares`, the lower bounds per kind and type, to a complete design within the upper bounds `most`.
  bool distribute_nodes(const std::vector<Type>& family, Shares& shares, const Shares& most, int& left) {
    if (--left < 0 || effort_ <= 0) return false;
    std::vector<Count> rows(problem_.width.begin(), problem_.width.end());
    Count wanted = 0;
    for (std::size_t k = 0; k < shares.size(); ++k) {
      rows.push_back(static_cast<Count>(problem_.kinds[k].nodes.size()));
      for (std::size_t t = 0; t < family.size(); ++t) {
        rows.back() -= shares[k][t];
        for (std::size_t j = 0; j < switches(); ++j) rows[j] -= holds(family[t], j) ? shares[k][t] : 0;
      }
      wanted += rows.back();
    }
    std::vector<Column> columns;
    for (std::size_t k = 0; k < shares.size(); ++k) {
      for (std::size_t t = 0; t < family.size(); ++t) {
        if (most[k][t] > shares[k][t] && allowed(problem_.kinds[k], family[t])) columns.push_back({k, t});
      }
    }
    for (const auto& [k, t] : columns) rows.push_back(most[k][t] - shares[k][t]);
    if (*std::min_element(rows.begin(), rows.end()) < 0) return false;

    LinearProgram program(rows);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      std::vector<int> taken(rows.size(), 0);
      for (std::size_t j = 0; j < switches(); ++j) taken[j] = holds(family[columns[i][1]], j) ? 1 : 0;
      taken[switches() + columns[i][0]] = 1;
      taken[switches() + shares.size() + i] = 1;
      program.add_column(taken);
    }
    const auto solution = program.solve();
    effort_ -= solution.effort;
    if (solution.most < wanted) return false;
    return round(family, shares, most, left, columns, solution.amounts, wanted);
  }

  /// Rounds amounts down and branches on the fraction nearest to one half.
  bool round(const std::vector<Type>& family, Shares& shares, const Shares& most, int& left,
             const std::vector<Column>& columns, const std::vector<double>& amounts, Count wanted) {
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
      else rounding_failed_ = true;  // caused by rounding: the prices did not prove the integer amounts
      return wanted == 0;
    }
    const auto [k, t] = columns[fractional];
    const int below = whole[k][t];
    Shares more = shares;
    more[k][t] = below + 1;
    if (distribute_nodes(family, more, most, left)) {
      shares = more;
      return true;
    }
    Shares fewer = most;
    fewer[k][t] = below;
    return distribute_nodes(family, shares, fewer, left);
  }

  const TypeProblem& problem_;
  Count effort_;
  bool rounding_failed_ = false;
  TypeOutcome outcome_;
};

}  // namespace

std::optional<TypeProblem> type_problem(const Limits& limits, const Demand& demand) {
  if (!demand.is_universal() || limits.switch_count() > kMostTypeSwitches) return std::nullopt;
  if (limits.groups.size() != limits.usable_ports.size()) return std::nullopt;
  TypeProblem problem;
  problem.nodes = limits.node_count();
  problem.shared = demand.redundancy();
  for (const Group& group : limits.groups) {
    problem.width.push_back(std::min(group.ports, problem.nodes));
    problem.media.push_back(group.media);
  }
  std::map<std::vector<int>, std::vector<int>> kinds;
  for (int node = 0; node < problem.nodes; ++node) {
    std::vector<int> nics(limits.media_count, 0);
    for (int nic = limits.first_nic[Limits::at(node)]; nic < limits.first_nic[Limits::at(node) + 1]; ++nic) {
      ++nics[Limits::at(limits.nics[Limits::at(nic)].media)];
    }
    kinds[nics].push_back(node);
  }
  for (auto& [nics, nodes] : kinds) problem.kinds.push_back({std::move(nodes), nics});
  return problem;
}

TypeOutcome search_types(const TypeProblem& problem, long long effort) { return TypeSearch(problem, effort).run(); }

Wiring wiring_of(const TypeProblem& problem, const TypeOutcome& found, const Limits& limits) {
  Wiring wiring(limits);
  for (std::size_t k = 0; k < problem.kinds.size(); ++k) {
    for (std::size_t i = 0; i < problem.kinds[k].nodes.size(); ++i) {
      const int node = problem.kinds[k].nodes[i];
      for (int device = 0; device < limits.switch_count(); ++device) {
        if (!holds(found.types[k][i], Limits::at(device))) continue;
        int nic = limits.first_nic[Limits::at(node)];
        while (!wiring.can_plug(nic, device) || wiring.group(nic) != kDummy) ++nic;
        wiring.plug(nic, device);
      }
    }
  }
  return wiring;
}

}  // namespace fnn
