// SPDX-License-Identifier: GPL-3.0-or-later
// docs/reference/bounds.md has the proof.
#include "oracle/twin_squares.h"

#include <gtest/gtest.h>

#include <numeric>

#include "base/bitset.h"
#include "design/check_twin_squares.h"
#include "oracle/type_search.h"
#include "support.h"

namespace fnn::testing {
namespace {

/// One node of each degree.
RankInput input_of(const std::vector<Degree>& degrees, Count redundancy) {
  RankInput input{10, redundancy, {}, {}};
  for (const Degree& degree : degrees) input.groups.push_back({1, {degree}});
  return input;
}

std::vector<Count> squares_of(const std::vector<Degree>& degrees, Count redundancy) {
  RankInput input = input_of(degrees, redundancy);
  determine_twin_squares(input);
  std::vector<Count> squares;
  for (const NodeGroup& group : input.groups) squares.push_back(group.degrees.front().twin_squares);
  return squares;
}

// 5 links, excess 11. Twin classes of 3 leave 3, which are shared at most with a node without twins: (V - 32) / 3 * V / 11
// is at least 9, so V = 16 + sqrt(256 + 297) = 39.516, which is 10116.1 / 256. The next step is 10117 / 256.
TEST(TwinSquares, WeighTwinsAgainstTheNodesThatShareTheRest) {
  EXPECT_EQ(squares_of({{5, 11}}, 1), (std::vector<Count>{10117}));
}

// Excess 2 < 3: no node has twins, and two nodes share 3 switches. V / 2 * V / 2 is at least 4.
TEST(TwinSquares, AreThoseOfTheRankBoundWithoutTwins) {
  EXPECT_EQ(squares_of({{4, 2}}, 1), (std::vector<Count>{4 * kSquareUnit}));
}

// Excess 12 = 3 * 4: four twins leave nothing to share.
TEST(TwinSquares, AreThoseOfTheRankBoundWhereTwinsTakeTheWholeExcess) {
  EXPECT_EQ(squares_of({{5, 12}}, 1), (std::vector<Count>{48 * kSquareUnit}));
}

TEST(TwinSquares, LeaveLargeExcessAlone) {
  RankInput input = input_of({{3, 2000}}, 1);
  determine_twin_squares(input);
  EXPECT_FALSE(input.has_twin_squares);
}

TEST(TwinSquares, AreTheSameInBothImplementations) {
  int compared = 0;
  for (int seed = 0; seed < cases(300, 3000); ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const Count redundancy = 1 + static_cast<Count>(random.below(2));
    std::vector<Degree> degrees;
    TwinSquares same;
    for (std::size_t k = 0; k <= random.below(4); ++k) {
      const Degree degree{redundancy + static_cast<Count>(random.below(7)), static_cast<Count>(random.below(40))};
      if (!same.emplace(std::pair{degree.links, degree.excess}, 0).second) continue;
      degrees.push_back(degree);
    }
    RankInput input = input_of(degrees, redundancy);
    determine_twin_squares(input);
    const TwinSquares checked = check_twin_squares(same, redundancy);
    EXPECT_EQ(input.has_twin_squares, !checked.empty()) << "seed " << seed;
    if (!input.has_twin_squares) continue;
    for (const NodeGroup& group : input.groups) {
      const Degree& degree = group.degrees.front();
      if (degree.links == redundancy) continue;
      ++compared;
      EXPECT_EQ(checked.at({degree.links, degree.excess}), degree.twin_squares) << "seed " << seed;
    }
  }
  EXPECT_GT(compared, 100);
}

/// Removes links until no node is on some of another node's switches only.
void remove_needless_links(std::vector<Type>& types) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const Type one : types) {
      for (Type& other : types) {
        if ((one & other) != one || one == other) continue;
        other = one;
        changed = true;
      }
    }
  }
}

/// Of nodes with so many links; kinds of nodes that differ in NICs alone have the same excess with them.
double squares_with(const RankInput& input, int links) {
  for (const NodeGroup& group : input.groups) {
    for (const Degree& degree : group.degrees) {
      if (degree.links == links) return static_cast<double>(degree.twin_squares) / kSquareUnit;
    }
  }
  return 0;
}

/// The weighted squares of the excess of a design, and what the bound says of them.
struct Comparison {
  double squares = 0;
  double bound = 0;
};

Comparison compare(const std::vector<Type>& types, const RankInput& input, const std::vector<double>& factor_of_links) {
  const auto factor = [&](Type type) { return factor_of_links[static_cast<std::size_t>(count_bits(type))]; };
  Comparison result;
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (count_bits(types[i]) == input.redundancy) continue;
    for (std::size_t k = 0; k < types.size(); ++k) {
      const double shared = static_cast<double>(count_bits(types[i] & types[k]) - input.redundancy);
      if (k != i) result.squares += factor(types[i]) * factor(types[k]) * shared * shared;
    }
    result.bound += factor(types[i]) * factor(types[i]) * squares_with(input, count_bits(types[i]));
  }
  return result;
}

std::vector<int> numbers_from(int first, int count) {
  std::vector<int> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), first);
  return numbers;
}

// The claim of the essay itself, with random factors t for every number of links, on designs that the search over types
// finds: with the redundancies 1 and 2, with ports to spare, and with nodes that have a NIC more than others.
TEST(TwinSquares, AreNotExceededByAnyDesign) {
  int alike = 0;
  int mixed = 0;
  double closest = 0;
  for (int seed = 0; seed < cases(400, 4000); ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const auto between = numbers_of(random);
    const int nodes = between(4, 24);
    const int nics = between(2, 5);
    TypeProblem problem;
    problem.nodes = nodes;
    problem.shared = between(1, 2);
    const int ports = std::min(nodes, problem.shared * (nodes - 2) / nics + between(2, 4));
    problem.width.assign(static_cast<std::size_t>(between(3, 10)), ports);
    problem.media.assign(problem.width.size(), 0);
    const int others = between(0, nodes / 3);
    problem.kinds.push_back({numbers_from(0, nodes - others), {nics}});
    if (others > 0) problem.kinds.push_back({numbers_from(nodes - others, others), {nics + 1}});
    const TypeOutcome outcome = search_types(problem, 3000000);
    if (outcome.verdict != TypeVerdict::kFound) continue;
    std::vector<Type> types;
    for (const auto& of_kind : outcome.types) types.insert(types.end(), of_kind.begin(), of_kind.end());
    remove_needless_links(types);
    const Spec spec = [&] {
      Json document = plain_spec(nodes, nics, static_cast<int>(problem.width.size()), ports);
      document["redundancy"] = problem.shared;
      for (int node = nodes - others; node < nodes; ++node) document["nodes"][static_cast<std::size_t>(node)]["nics"] = nics + 1;
      return read_spec(document);
    }();
    RankInput input = rank_input(BoundInput(spec.nodes, spec.switches, Demand(spec)));
    determine_twin_squares(input);
    if (!input.has_twin_squares) continue;
    (others > 0 ? mixed : alike) += 1;
    for (int weights = 0; weights < 5; ++weights) {
      std::vector<double> factors;
      for (int links = 0; links <= nics + 1; ++links) factors.push_back(1.0 + static_cast<double>(random.below(4)));
      const Comparison found = compare(types, input, factors);
      EXPECT_LE(found.squares, found.bound + 1e-9) << "seed " << seed;
      if (found.bound > 0) closest = std::max(closest, found.squares / found.bound);
    }
  }
  EXPECT_GT(alike, 10);
  EXPECT_GT(mixed, 40);
  EXPECT_GT(closest, 0.8);
}

}  // namespace
}  // namespace fnn::testing
