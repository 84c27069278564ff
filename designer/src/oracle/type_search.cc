// SPDX-License-Identifier: GPL-3.0-or-later
//
// Searching over types
// --------------------
// A node is determined by its set of switches, its type. Two nodes share a switch when their types intersect ("meet").
// The identity of nodes does not matter: a design is a family of types of which any two meet, and a number of nodes for
// each of them.
//
//     six nodes with 2 NICs, switches a, b, c of 4 ports:    2 x ab    2 x ac    2 x bc
//
// The method is branch and bound. Port limits are linear: the nodes whose type has a switch must fit its ports.
// Meeting is not. A case of the search is a set of used types and a set of open types, each of which meets all used
// ones. Its linear program relaxes the case: open types that do not meet may be used together. If it has no room for
// all nodes, the case is closed. Otherwise, if two types in its solution do not meet, the search branches on one of
// them, used or not: two smaller cases.
//
// There are two searches. The first divides nodes at will and decides whether any family has room for all of them. If
// not, no design exists. If one has, its numbers of nodes are rounded. Where that fails, the second search decides, which
// assigns whole nodes from the start: at least one to each used type.
//
// These techniques make the searches fast enough for proofs:
//
// symmetry    Switches of equal width and media that belong to the same used types are equivalent (a cell), and so
//             are open types with as many switches of each cell (an orbit). If one of them is used, it may as well
//             be the first; if not, none of them is (orbital branching). The linear program needs one
//             column per orbit and one row per cell.
// need        The search looks for a family in which no cable is redundant. Then no used type
//             contains another, and each switch of a used type is needed: some other used type meets
//             it there and in no more switches than necessary.
// few types   A linear program with b rows has a solution with at most b positive amounts (a basic solution). So if any
//             family has room, one of at most b types has, where nodes may be divided. A type of t switches has
//             only so many nodes: its switches hold these t times and all others at least once, so with n nodes, ports w
//             and L shared switches
//
//                 (t - L) * nodes <= t * w - L * n.
//
//             Hence open types with many nodes are many types: one more row. It is the strongest of all. Of 85 nodes
//             with 5 NICs on 15 switches of 25 ports, each type with 4 switches has 5 nodes at most.
// rank        In the second search the same role has the bound `rank` (rank_bounds.cc), a row too.
// costs       The second search excludes open types of which a single node costs too much, by the reduced costs of the
//             linear program (reduced-cost fixing; linear_program.h).
// isomorphs   A family that was refuted is refuted on other switches as well (refuted_families.h).
// proof       The linear programs are solved in floating point, but the bounds that close cases are proved in
//             integers (linear_program.cc). Rounding can make the search slow but never wrong.
//
// The method does not require pairs to share exactly one switch: "meet" means in `shared` switches.
#include "oracle/type_search.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "base/bitset.h"
#include "base/stopping.h"
#include "oracle/linear_program.h"
#include "oracle/refuted_families.h"
#include "oracle/type_assignment.h"

namespace fnn {
namespace {

using Count = long long;

constexpr int kRoundingPrograms = 2;  // more find hardly more, and cost most of the time of a proof
constexpr std::size_t kMostOrbits = 20000;
constexpr Count kUnit = 100000;    // of a type or a share, in the row that counts them
constexpr Count kColoring = 2000;  // effort to color a family and to look it up

/// Of a port on each switch, a node of each kind, and a type or share.
struct Prices {
  std::array<double, kMostTypeSwitches> ports{};
  std::vector<double> others;
};

struct Case {
  Types used;
  Cells cells;
  std::vector<Orbit> open;
  Prices prices{};  ///< in the linear program of the case before
};

enum class End { kRefuted, kFound, kDivided, kSpent };

class TypeSearch {
 public:
  TypeSearch(const TypeProblem& problem, Count effort, Deadline deadline)
      : problem_(problem), effort_(effort), deadline_(deadline) {}

  TypeOutcome run() {
    Case root{{}, equivalent_switches(), {}};
    for (const bool divides : {true, false}) {
      divides_ = divides;
      refuted_ = RefutedFamilies(root.cells);
      if (!list_orbits(root.cells, root.open)) break;
      const End end = examine(root);
      if (end == End::kFound) outcome_.verdict = TypeVerdict::kFound;
      if (end == End::kRefuted && !rounding_failed_) outcome_.verdict = TypeVerdict::kImpossible;
      if (end != End::kDivided) break;
    }
    return outcome_;
  }

 private:
  bool one_kind() const { return problem_.kinds.size() == 1; }

  Cells equivalent_switches() const {
    std::map<std::tuple<int, int>, Type> members;
    for (std::size_t j = 0; j < problem_.switches(); ++j) {
      members[{problem_.width[j], problem_.media[j]}] |= Type{1} << j;
    }
    Cells cells;
    for (const auto& [mark, of_mark] : members) cells.members.push_back(of_mark);
    return cells;
  }

  /// Types that some kind of node can have and with which a node, or a part of one, can meet all others.
  bool is_possible(Type type) const {
    const Count beyond = count_bits(type) - problem_.shared;
    const Count room = problem_.ports_of(type) - Count{problem_.shared} * problem_.nodes;
    if (beyond < 0 || room < (divides_ ? std::min<Count>(beyond, 1) : beyond)) return false;
    return std::any_of(problem_.kinds.begin(), problem_.kinds.end(),
                       [&](const TypeKind& kind) { return problem_.allows(kind, type); });
  }

  /// Lists the orbits of all possible types. Returns false if there are too many.
  bool list_orbits(const Cells& cells, std::vector<Orbit>& orbits) const {
    orbits.clear();
    int most_links = 0;
    for (const TypeKind& kind : problem_.kinds) {
      int nics = 0;
      for (const int of_media : kind.nics) nics += of_media;
      most_links = std::max(most_links, nics);
    }
    std::vector<Orbit> partial{Orbit{}};
    for (std::size_t cell = 0; cell < cells.count(); ++cell) {
      std::vector<Orbit> longer;
      for (const Orbit& orbit : partial) {
        for (int count = 0; count <= cells.size(cell) && orbit.links + count <= most_links; ++count) {
          Orbit next = orbit;
          next.counts[cell] = static_cast<std::uint8_t>(count);
          next.links += count;
          longer.push_back(next);
        }
      }
      if (longer.size() > 4 * kMostOrbits) return false;
      partial = std::move(longer);
    }
    for (Orbit& orbit : partial) {
      const Type type = cells.first_of(orbit.counts);
      orbit.ports = problem_.ports_of(type);
      if (orbit.links > 0 && is_possible(type)) orbits.push_back(orbit);
    }
    return orbits.size() <= kMostOrbits;
  }

  /// In a family without a redundant cable, a used type shares each of its switches with a type that has exactly the
  /// required number of switches in common with it.
  bool every_switch_is_needed(const Case& now) const {
    return std::all_of(now.used.begin(), now.used.end(), [&](Type type) {
      if (count_bits(type) == problem_.shared) return true;
      Type needed = 0;
      for (const Type other : now.used) {
        if (other != type && count_bits(other & type) == problem_.shared) needed |= other & type;
      }
      for (auto orbit = now.open.begin(); orbit != now.open.end() && needed != type; ++orbit) {
        needed |= needed_by(*orbit, now.cells, type);
      }
      return needed == type;
    });
  }

  /// Switches of `type` at which types of the orbit meet it, if only there.
  Type needed_by(const Orbit& orbit, const Cells& cells, Type type) const {
    int meeting = 0;
    Type at = 0;
    for (std::size_t cell = 0; cell < cells.count(); ++cell) {
      if (orbit.counts[cell] == 0 || (cells.members[cell] & type) == 0) continue;
      meeting += orbit.counts[cell];
      at |= cells.members[cell];
    }
    return meeting == problem_.shared ? at : 0;
  }

  /// What one node takes of the row that counts types, or shares in the second search.
  int type_share(const Orbit& orbit) const {
    const Count delta = orbit.links - problem_.shared;
    const Count room = orbit.ports - Count{problem_.shared} * problem_.nodes;
    if (delta == 0) return 0;
    if (divides_) return static_cast<int>(delta * kUnit / room);
    const Count excess = room - delta;
    const Count rest = excess % delta;
    return static_cast<int>(delta * delta * kUnit / (delta * delta * (1 + excess / delta) + rest * rest));
  }

  struct Stock {
    std::vector<Count> rows;  ///< the ports of each cell, the nodes of each kind, and the types or shares
    Count nodes = 0;          ///< of all kinds
    Count placed = 0;         ///< nodes that are already subtracted
  };

  /// In the second search a used type has at least one node; with one kind of nodes, its kind is known.
  Stock stock_of(const Case& now) const {
    Stock stock;
    for (const Type cell : now.cells.members) stock.rows.push_back(problem_.ports_of(cell));
    // With one kind, a row for its nodes would hide which orbits have the most room.
    if (!one_kind()) {
      for (const TypeKind& kind : problem_.kinds) stock.rows.push_back(static_cast<Count>(kind.nodes.size()));
    }
    stock.nodes = problem_.nodes;
    auto types = static_cast<Count>(problem_.switches());
    // With several kinds, the nodes of each are one more row of the basic solution.
    if (divides_ && !one_kind()) types += static_cast<Count>(problem_.kinds.size());
    if (divides_) types -= static_cast<Count>(now.used.size());
    stock.rows.push_back(types * kUnit);
    if (divides_ || !one_kind()) return stock;
    stock.placed = static_cast<Count>(now.used.size());
    stock.nodes -= stock.placed;
    for (const Type type : now.used) {
      for (std::size_t cell = 0; cell < now.cells.count(); ++cell) {
        stock.rows[cell] -= count_bits(type & now.cells.members[cell]);
      }
      stock.rows.back() -= type_share(orbit_of(type, now.cells));
    }
    return stock;
  }

  Orbit orbit_of(Type type, const Cells& cells) const {
    return {cells.counts_of(type), count_bits(type), problem_.ports_of(type)};
  }

  /// The used types, then the open orbits.
  std::vector<Orbit> columns_of(const Case& now) const {
    std::vector<Orbit> orbits;
    for (const Type type : now.used) orbits.push_back(orbit_of(type, now.cells));
    orbits.insert(orbits.end(), now.open.begin(), now.open.end());
    return orbits;
  }

  /// The prices of the case before, for the rows of this one. Parts of a cell have the price of the whole.
  static std::vector<double> prices_of_rows(const Case& now) {
    std::vector<double> prices;
    if (now.prices.others.empty()) return prices;
    for (const Type cell : now.cells.members) {
      prices.push_back(now.prices.ports[static_cast<std::size_t>(std::countr_zero(cell))]);
    }
    prices.insert(prices.end(), now.prices.others.begin(), now.prices.others.end());
    return prices;
  }

  static Prices prices_of_switches(const std::vector<double>& prices, const Cells& cells) {
    Prices all;
    for (std::size_t cell = 0; cell < cells.count(); ++cell) {
      for (Type left = cells.members[cell]; left != 0; left &= left - 1) {
        all.ports[static_cast<std::size_t>(std::countr_zero(left))] = prices[cell];
      }
    }
    all.others.assign(prices.begin() + static_cast<long>(cells.count()), prices.end());
    return all;
  }

  /// The LP relaxation: nodes per orbit; nothing when there is no room for all nodes. The second search excludes open
  /// orbits of which one node costs too much.
  std::optional<std::vector<double>> relax(Case& now, std::vector<Orbit>& orbits) {
    const Stock stock = stock_of(now);
    if (*std::min_element(stock.rows.begin(), stock.rows.end()) < 0) return std::nullopt;
    LinearProgram program(stock.rows);
    std::vector<std::size_t> orbit_of_column;
    std::vector<int> taken(stock.rows.size());
    for (std::size_t o = 0; o < orbits.size(); ++o) {
      const auto kinds_begin = std::copy_n(orbits[o].counts.begin(), now.cells.count(), taken.begin());
      taken.back() = divides_ && o < now.used.size() ? 0 : type_share(orbits[o]);
      for (std::size_t k = 0; k < problem_.kinds.size(); ++k) {
        if (!one_kind()) {
          if (!problem_.allows(problem_.kinds[k], now.cells.first_of(orbits[o].counts))) continue;
          std::fill(kinds_begin, taken.end() - 1, 0);
          *(kinds_begin + static_cast<long>(k)) = 1;
        }
        program.add_column(taken);
        orbit_of_column.push_back(o);
      }
    }
    const auto solution = program.solve(stock.nodes, prices_of_rows(now));
    effort_ -= solution.effort;
    if (solution.most < stock.nodes) return std::nullopt;
    now.prices = prices_of_switches(solution.prices, now.cells);
    std::vector<double> amounts(orbits.size(), 0);
    if (stock.placed > 0) std::fill_n(amounts.begin(), now.used.size(), 1);
    std::vector<bool> affordable(orbits.size(), divides_);
    std::fill_n(affordable.begin(), now.used.size(), true);
    for (std::size_t i = 0; i < orbit_of_column.size(); ++i) {
      const std::size_t o = orbit_of_column[i];
      amounts[o] += solution.amounts[i];
      if (solution.affords_column(i)) affordable[o] = true;
    }
    keep(affordable, orbits);
    keep(affordable, amounts);
    now.open.assign(orbits.begin() + static_cast<long>(now.used.size()), orbits.end());
    return amounts;
  }

  template <typename Item>
  static void keep(const std::vector<bool>& kept, std::vector<Item>& items) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (kept[i]) items[count++] = items[i];
    }
    items.resize(count);
  }

  /// An open orbit is used or not: the first is a case of its own, the second the rest of this one. Once "used" is refuted,
  /// so are all families with types isomorphic to those: one that has a type which was excluded before was refuted then.
  End examine(Case now) {
    while (true) {
      ++outcome_.cases;
      if (stop_requested(deadline_)) effort_ = 0;
      effort_ -= static_cast<Count>(now.open.size() * (4 + now.used.size()));
      if (effort_ <= 0) return End::kSpent;
      if (!every_switch_is_needed(now)) return End::kRefuted;
      std::vector<Orbit> orbits = columns_of(now);
      const auto amounts = relax(now, orbits);
      if (!amounts) return End::kRefuted;
      std::optional<std::size_t> choice = branching_orbit(now, orbits, *amounts);
      if (!choice) {
        if (assign_whole_nodes(now, orbits, *amounts)) return End::kFound;
        if (divides_) return End::kDivided;
        if (now.open.empty()) return End::kRefuted;
        choice = largest_open(now, *amounts);
      }
      const auto orbit = now.open.begin() + static_cast<long>(*choice - now.used.size());
      const End end = use(now, now.cells.first_of(orbit->counts));
      if (end != End::kRefuted) return end;
      now.open.erase(orbit);
    }
  }

  End use(const Case& now, Type type) {
    Types family = now.used;
    family.push_back(type);
    effort_ -= kColoring;
    if (refuted_.contains(family)) return End::kRefuted;
    auto refined = refine(now.cells, now.open, type, problem_.shared, kMostOrbits);
    if (!refined) return End::kSpent;
    const End end = examine({family, std::move(refined->cells), std::move(refined->open), now.prices});
    if (end == End::kRefuted) refuted_.insert(family);
    return end;
  }

  /// The branching orbit: of those in conflict in the solution, the one whose nodes are the most types, as far as they are
  /// not spread over a large orbit; none without conflicts.
  std::optional<std::size_t> branching_orbit(const Case& now, const std::vector<Orbit>& orbits,
                                             const std::vector<double>& amounts) const {
    std::vector<std::size_t> positive;
    for (std::size_t o = now.used.size(); o < orbits.size(); ++o) {
      if (amounts[o] >= kNegligible) positive.push_back(o);
    }
    std::optional<std::size_t> best;
    double most = -1;
    for (const std::size_t o : positive) {
      const auto fits = [&](std::size_t other) { return all_meet(o, other, orbits, now.cells); };
      if (std::all_of(positive.begin(), positive.end(), fits)) continue;
      const double types = amounts[o] * type_share(orbits[o]) / std::sqrt(count_types(orbits[o], now.cells));
      if (types > most) {
        most = types;
        best = o;
      }
    }
    return best;
  }

  bool all_meet(std::size_t one, std::size_t other, const std::vector<Orbit>& orbits, const Cells& cells) const {
    if (one == other && count_types(orbits[one], cells) == 1) return true;
    return least_shared(orbits[one], orbits[other], cells) >= problem_.shared;
  }

  static std::size_t largest_open(const Case& now, const std::vector<double>& amounts) {
    const auto first = amounts.begin() + static_cast<long>(now.used.size());
    return static_cast<std::size_t>(std::max_element(first, amounts.end()) - amounts.begin());
  }

  /// All types of the solution meet. Searches for whole numbers of nodes: with no type open this decides the case,
  /// otherwise it is a heuristic.
  bool assign_whole_nodes(const Case& now, const std::vector<Orbit>& orbits, const std::vector<double>& amounts) {
    Types family = now.used;
    for (std::size_t o = now.used.size(); o < orbits.size(); ++o) {
      if (amounts[o] >= kNegligible) append_types(orbits[o], now.cells, family);
    }
    const int programs = now.open.empty() ? std::numeric_limits<int>::max() : kRoundingPrograms;
    const TypeAssignment assigned = assign_nodes(problem_, family, {programs, effort_, deadline_});
    effort_ -= assigned.effort;
    if (!assigned.shares) {
      if (now.open.empty() && !divides_ && !assigned.is_exact) rounding_failed_ = true;
      return false;
    }
    for (const std::vector<int>& of_kind : *assigned.shares) {
      Types& types = outcome_.types.emplace_back();
      for (std::size_t t = 0; t < family.size(); ++t) {
        types.insert(types.end(), static_cast<std::size_t>(of_kind[t]), family[t]);
      }
    }
    return true;
  }

  const TypeProblem& problem_;
  Count effort_;
  Deadline deadline_;
  bool divides_ = true;  ///< the first search
  bool rounding_failed_ = false;
  RefutedFamilies refuted_{Cells{}};
  TypeOutcome outcome_;
};

}  // namespace

TypeOutcome search_types(const TypeProblem& problem, long long effort, Deadline deadline) {
  return TypeSearch(problem, effort, deadline).run();
}

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
