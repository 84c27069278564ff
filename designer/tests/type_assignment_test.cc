// SPDX-License-Identifier: GPL-3.0-or-later
#include "oracle/type_assignment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "support.h"

namespace fnn::testing {
namespace {

constexpr int kManyPrograms = 100000;
constexpr long long kAssignmentEffort = 100000000;

/// Kinds of so many nodes, each with NICs for `nics` switches.
TypeProblem problem_of(const std::vector<int>& width, const std::vector<int>& nodes, const std::vector<int>& nics) {
  TypeProblem problem;
  problem.width = width;
  problem.media.assign(width.size(), 0);
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    TypeKind& kind = problem.kinds.emplace_back();
    for (int node = 0; node < nodes[k]; ++node) kind.nodes.push_back(problem.nodes++);
    kind.nics = {nics[k]};
  }
  return problem;
}

bool is_complete(const TypeProblem& problem, const Types& family, const Shares& shares) {
  std::vector<int> left = problem.width;
  for (std::size_t k = 0; k < shares.size(); ++k) {
    const int nodes = std::accumulate(shares[k].begin(), shares[k].end(), 0);
    if (nodes != static_cast<int>(problem.kinds[k].nodes.size())) return false;
    for (std::size_t t = 0; t < family.size(); ++t) {
      if (shares[k][t] < 0 || (shares[k][t] > 0 && !problem.allows(problem.kinds[k], family[t]))) return false;
      for (std::size_t j = 0; j < left.size(); ++j) left[j] -= holds(family[t], j) ? shares[k][t] : 0;
    }
  }
  return std::all_of(left.begin(), left.end(), [](int ports) { return ports >= 0; });
}

/// Whether the nodes from this one on can all get a type.
bool exists(const TypeProblem& problem, const Types& family, std::vector<int>& left, std::size_t kind, int nodes) {
  if (kind == problem.kinds.size()) return true;
  if (nodes == static_cast<int>(problem.kinds[kind].nodes.size())) return exists(problem, family, left, kind + 1, 0);
  for (const Type type : family) {
    if (!problem.allows(problem.kinds[kind], type)) continue;
    bool has_room = true;
    for (std::size_t j = 0; j < left.size(); ++j) {
      if (holds(type, j)) has_room = --left[j] >= 0 && has_room;
    }
    const bool found = has_room && exists(problem, family, left, kind, nodes + 1);
    for (std::size_t j = 0; j < left.size(); ++j) left[j] += holds(type, j) ? 1 : 0;
    if (found) return true;
  }
  return false;
}

TEST(TypeAssignment, AgreesWithAllAssignmentsOfAFewNodes) {
  int found = 0;
  int impossible = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    Random random(seed);
    const auto between = numbers_of(random);
    std::vector<int> width(static_cast<std::size_t>(between(3, 6)));
    for (int& ports : width) ports = between(1, 4);
    Types family;
    for (int types = between(2, 6); types > 0; --types) {
      family.push_back(static_cast<Type>(between(1, (1 << width.size()) - 1)));
    }
    const TypeProblem problem = random.one_in(3) ? problem_of(width, {between(1, 3), between(1, 3)}, {2, 4})
                                                 : problem_of(width, {between(2, 6)}, {4});
    const TypeAssignment assigned = assign_nodes(problem, family, {kManyPrograms, kAssignmentEffort});
    std::vector<int> left = width;
    const bool expected = exists(problem, family, left, 0, 0);
    EXPECT_TRUE(assigned.is_exact || assigned.shares) << "seed " << seed;
    EXPECT_EQ(assigned.shares.has_value(), expected) << "seed " << seed;
    if (assigned.shares) {
      EXPECT_TRUE(is_complete(problem, family, *assigned.shares)) << "seed " << seed;
    }
    (expected ? found : impossible) += 1;
  }
  EXPECT_GT(found, 500);
  EXPECT_GT(impossible, 500);
}

/// The types of the Fano plane: each of seven switches has three.
Types fano_plane() {
  Types family;
  for (int shift = 0; shift < 7; ++shift) {
    Type type = 0;
    for (const int member : {0, 1, 3}) type |= Type{1} << (member + shift) % 7;
    family.push_back(type);
  }
  return family;
}

// 7 * 28 / 3 = 65.3 nodes, if they could be divided.
TEST(TypeAssignment, LeavesAFewPortsUnused) {
  const std::vector<int> width(7, 28);
  EXPECT_TRUE(assign_nodes(problem_of(width, {64}, {3}), fano_plane(), {kManyPrograms, kAssignmentEffort}).shares);
  const TypeAssignment more = assign_nodes(problem_of(width, {65}, {3}), fano_plane(), {kManyPrograms, kAssignmentEffort});
  EXPECT_FALSE(more.shares);
  EXPECT_TRUE(more.is_exact);
}

// Two triangles with 9 ports each have room for 4 nodes each. The linear program has 9 nodes, with all ports in use; then
// the nodes on the three switches of a triangle are twice an integer, and 9 is odd.
TEST(TypeAssignment, RefutesFullSwitchesByParity) {
  const Types triangles{3, 5, 6, 24, 40, 48};
  const TypeAssignment assigned = assign_nodes(problem_of({3, 3, 3, 3, 3, 3}, {9}, {2}), triangles, {1, kAssignmentEffort});
  EXPECT_FALSE(assigned.shares);
  EXPECT_TRUE(assigned.is_exact);
  EXPECT_TRUE(assign_nodes(problem_of({3, 3, 3, 3, 3, 3}, {8}, {2}), triangles, {kManyPrograms, kAssignmentEffort}).shares);
}

TEST(TypeAssignment, IsNotExactWhenTheProgramsAreSpent) {
  const TypeAssignment assigned = assign_nodes(problem_of({9, 9, 9}, {13}, {2}), {3, 5, 6}, {0, kAssignmentEffort});
  EXPECT_FALSE(assigned.shares);
  EXPECT_FALSE(assigned.is_exact);
}

}  // namespace
}  // namespace fnn::testing
