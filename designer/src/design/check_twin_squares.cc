// SPDX-License-Identifier: GPL-3.0-or-later
//
// The squares V of a degree are the least multiples of 1 / 256 such that, for any two cases a, b (a degree, the size h of a
// twin class, the excess r for other nodes) that can share x(a, b) > 0 switches,
//
//     (V_a - T_a) * (V_b - T_b) >= x(a, b)^2 * r_a * r_b,    V >= T,    T = (h - 1) * (links - redundancy)^2.
//
// oracle/twin_squares.cc finds them by bisection. Here each inequality is solved for V: it is linear if b belongs to
// another degree, and quadratic if to the same.
#include "design/check_twin_squares.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace fnn {
namespace {

using Number = long long;

constexpr Number kMostNumber = 1000;
constexpr std::size_t kMostSharingCases = 150;

struct SharingCase {
  Number links;
  Number excess;
  Number twins;    ///< of a node, with itself
  Number outside;  ///< excess for other nodes
  Number inside;   ///< squares of the excess for twins, in parts

  bool has_degree_of(const SharingCase& other) const { return links == other.links && excess == other.excess; }
};

/// The right side of the inequality, in squares of parts.
Number demand(const SharingCase& a, const SharingCase& b, Number redundancy) {
  Number shared = std::min(a.links, b.links) - redundancy - 1;
  while (shared > 0 && (shared * b.twins > a.outside || shared * a.twins > b.outside)) --shared;
  return shared * kTwinParts * shared * kTwinParts * a.outside * b.outside;
}

/// The least V with (V - a)(V - b) >= product, V >= a, V >= b.
Number solve(Number a, Number b, Number product) {
  const auto gap = static_cast<long double>(a - b);
  const long double root = std::sqrt(gap * gap + 4 * static_cast<long double>(product));
  auto least = std::max({a, b, static_cast<Number>((static_cast<long double>(a + b) + root) / 2) - 2});
  while ((least - a) * (least - b) < product) ++least;
  return least;
}

std::vector<SharingCase> all_cases(const TwinSquares& degrees, Number redundancy) {
  std::vector<SharingCase> cases;
  for (const auto& [degree, unused] : degrees) {
    const auto [links, excess] = degree;
    const Number diagonal = links - redundancy;
    if (links > kMostNumber || excess > kMostNumber) return {};
    for (Number outside = excess, twins = 1; outside >= 0; outside -= diagonal, ++twins) {
      cases.push_back({links, excess, twins, outside, (twins - 1) * diagonal * diagonal * kTwinParts});
      if (cases.size() > kMostSharingCases) return {};
    }
  }
  return cases;
}

/// The least squares of a degree, given those of the others; nothing if there are none.
std::optional<Number> least_squares(const std::vector<SharingCase>& cases, const SharingCase& of, const TwinSquares& known,
                                    Number redundancy) {
  Number least = 0;
  for (const SharingCase& a : cases) {
    if (!a.has_degree_of(of)) continue;
    least = std::max(least, a.inside);
    for (const SharingCase& b : cases) {
      const Number product = demand(a, b, redundancy);
      if (product == 0) continue;
      if (b.has_degree_of(of)) {
        least = std::max(least, solve(a.inside, b.inside, product));
        continue;
      }
      const Number left = known.at({b.links, b.excess}) - b.inside;
      if (left <= 0) return std::nullopt;
      least = std::max(least, a.inside + (product + left - 1) / left);
    }
  }
  return least;
}

/// Rows with numbers as large as possible.
Number largest_squares(Number links, Number excess, Number redundancy) {
  Number sum = 0;
  for (; excess > 0; excess -= links - redundancy) {
    const Number one = std::min(excess, links - redundancy);
    sum += one * one;
  }
  return sum * kTwinParts;
}

}  // namespace

TwinSquares check_twin_squares(TwinSquares degrees, Number redundancy) {
  std::erase_if(degrees, [&](const auto& one) { return one.first.first <= redundancy; });
  const std::vector<SharingCase> cases = all_cases(degrees, redundancy);
  if (cases.empty()) return {};
  for (auto& [degree, squares] : degrees) squares = largest_squares(degree.first, degree.second, redundancy);
  const TwinSquares largest = degrees;
  for (const SharingCase& of : cases) {
    const auto least = least_squares(cases, of, largest, redundancy);
    if (!least || *least > largest.at({of.links, of.excess})) return {};
  }
  for (auto one = degrees.rbegin(); one != degrees.rend(); ++one) {
    const SharingCase of{one->first.first, one->first.second, 1, 0, 0};
    const auto least = least_squares(cases, of, degrees, redundancy);
    if (!least) return {};
    one->second = *least;
  }
  return degrees;
}

}  // namespace fnn
