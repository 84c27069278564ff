// SPDX-License-Identifier: GPL-3.0-or-later
//
// Squares of the excess
// ---------------------
// The bound `rank` needs an upper bound on the squares of the numbers E_ik in a row of the excess matrix: two nodes i, k
// share L + E_ik switches, E_ik is at most d - L, and a row adds up to e at most. If all rows had numbers as large as
// possible, e = k(d - L) + m would give k(d - L)^2 + m^2. But not all rows can be like that. Example: d = 5, L = 1, e = 11.
// E_ik = 4 means that i and k are on the same 5 switches, they are twins. A node with two twins has an excess of 3 left.
// If it shares 3 more switches with a node j, so do both twins: j has three times a 3, and at most 2 left.
//
// In a design with the fewest links no node is on some of another node's switches only, so nodes that are not twins have
// E_ik <= min(d_i, d_k) - L - 1. A node's case is its number of links and the size h of its twin class; r = e - (h - 1)(d -
// L) is its excess for others. For nodes i, k of two classes a, b, |b| E_ik <= r_a and |a| E_ik <= r_b. Let x(a, b) be the
// greatest number that all of this allows.
//
// Each case gets a price p. If p_a p_b >= x(a, b)^2 for any two cases, then 2 t_i t_k E_ik^2 <= E_ik (p_a t_i^2 + p_b
// t_k^2) for any factors t, and the squares of a row count as (h - 1)(d - L)^2 + p_a r_a at most. With the number V that
// this must not exceed, the same for all cases of a degree, the prices are p_a = (V - (h - 1)(d - L)^2) / r_a: a greater V
// only raises them. So the least V of a degree, given those of the others, is found by bisection.
//
// V is lowered for one degree after another, most links first; until then a degree has the V of the bound `rank`. All pairs
// must be wanted: with a pattern, links beyond those of another node may be of use.
// docs/reference/bounds.md has the proof.
#include "oracle/twin_squares.h"

#include <algorithm>
#include <map>
#include <utility>

namespace fnn {
namespace {

constexpr std::size_t kMostTwinCases = 150;
constexpr Count kMostExcess = 1000;  // products of four such numbers and the square of the unit stay below 2^62

using DegreeKey = std::pair<Count, Count>;  // links, excess
using Squares = std::map<DegreeKey, Count>;

/// Nodes of a degree in twin classes of a size.
struct TwinCase {
  DegreeKey degree;
  Count diagonal;  ///< links minus redundancy
  Count size;
  Count rest;      ///< excess for nodes that are not twins

  Count among_twins() const { return (size - 1) * diagonal * diagonal * kSquareUnit; }
};

/// The most switches beyond the redundancy that nodes of both cases share if they are not twins.
Count most_shared(const TwinCase& a, const TwinCase& b) {
  return std::min({std::min(a.diagonal, b.diagonal) - 1, a.rest / b.size, b.rest / a.size});
}

std::vector<TwinCase> twin_cases(const RankInput& input, const Squares& squares) {
  std::vector<TwinCase> cases;
  for (const auto& [degree, unused] : squares) {
    const Count diagonal = degree.first - input.redundancy;
    for (Count size = 1; (size - 1) * diagonal <= degree.second; ++size) {
      cases.push_back({degree, diagonal, size, degree.second - (size - 1) * diagonal});
      if (cases.size() > kMostTwinCases) return {};
    }
  }
  return cases;
}

/// Whether the prices that the squares leave are enough for any two cases.
bool are_enough(const std::vector<TwinCase>& cases, const Squares& squares) {
  std::vector<Count> remaining;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    remaining.push_back(squares.at(cases[i].degree) - cases[i].among_twins());
    if (remaining[i] < 0) return false;
    for (std::size_t k = 0; k <= i; ++k) {
      const Count most = most_shared(cases[i], cases[k]) * kSquareUnit;
      if (remaining[i] * remaining[k] < most * most * cases[i].rest * cases[k].rest) return false;
    }
  }
  return true;
}

/// The squares of the bound `rank`, for degrees above the redundancy.
Squares squares_of_rank(const RankInput& input) {
  Squares squares;
  for (const NodeGroup& group : input.groups) {
    for (const Degree& degree : group.degrees) {
      const Count diagonal = degree.links - input.redundancy;
      if (diagonal == 0) continue;
      squares[{degree.links, degree.excess}] = largest_squares(degree.excess, diagonal) * kSquareUnit;
    }
  }
  return squares;
}

}  // namespace

void determine_twin_squares(RankInput& input) {
  Squares squares = squares_of_rank(input);
  const auto is_large = [](const auto& one) { return one.first.first > kMostExcess || one.first.second > kMostExcess; };
  if (squares.empty() || std::any_of(squares.begin(), squares.end(), is_large)) return;
  const std::vector<TwinCase> cases = twin_cases(input, squares);
  if (cases.empty() || !are_enough(cases, squares)) return;
  for (auto one = squares.rbegin(); one != squares.rend(); ++one) {
    Count too_few = -1;
    Count enough = one->second;
    while (enough - too_few > 1) {
      one->second = too_few + (enough - too_few) / 2;
      (are_enough(cases, squares) ? enough : too_few) = one->second;
    }
    one->second = enough;
  }
  for (NodeGroup& group : input.groups) {
    for (Degree& degree : group.degrees) {
      const auto found = squares.find({degree.links, degree.excess});
      if (found != squares.end()) degree.twin_squares = found->second;
    }
  }
  input.has_twin_squares = true;
}

}  // namespace fnn
