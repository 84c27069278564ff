// SPDX-License-Identifier: GPL-3.0-or-later
#include "oracle/type_search.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>

#include "brute_force.h"
#include "oracle/most_nodes.h"
#include "spec/patterns.h"
#include "support.h"

namespace fnn::testing {
namespace {

constexpr long long kEffort = 2000000000;

TypeProblem alike(int nodes, int nics, int ports, int switches, int shared = 1) {
  TypeProblem problem;
  problem.nodes = nodes;
  problem.shared = shared;
  problem.width.assign(static_cast<std::size_t>(switches), std::min(ports, nodes));
  problem.media.assign(static_cast<std::size_t>(switches), 0);
  problem.kinds.push_back({{}, {nics}});
  for (int node = 0; node < nodes; ++node) problem.kinds.front().nodes.push_back(node);
  return problem;
}

TypeVerdict verdict(int nodes, int nics, int ports, int switches, int shared = 1) {
  return search_types(alike(nodes, nics, ports, switches, shared), kEffort).verdict;
}

// Instances that took a general solver up to five seconds, and one that it left open.
TEST(TypeSearch, ProvesInfeasibilityBeyondTheSimpleBounds) {
  EXPECT_EQ(verdict(64, 4, 31, 6), TypeVerdict::kImpossible);
  EXPECT_EQ(verdict(64, 3, 27, 7), TypeVerdict::kImpossible);
  EXPECT_EQ(verdict(64, 4, 27, 7), TypeVerdict::kImpossible);
  EXPECT_EQ(verdict(64, 4, 26, 8), TypeVerdict::kImpossible);
  EXPECT_EQ(verdict(128, 4, 52, 8), TypeVerdict::kImpossible);
  EXPECT_EQ(verdict(10, 5, 4, 8), TypeVerdict::kImpossible);
  EXPECT_EQ(verdict(48, 4, 18, 9), TypeVerdict::kImpossible);
}

// One switch fewer than the best designs have.
TEST(TypeSearch, ProvesThatFiveNicsNeedSoManySwitches) {
  EXPECT_EQ(verdict(83, 5, 25, 14), TypeVerdict::kImpossible);
  EXPECT_EQ(verdict(71, 5, 21, 15), TypeVerdict::kImpossible);
  EXPECT_EQ(verdict(94, 5, 27, 16), TypeVerdict::kImpossible);
  EXPECT_EQ(verdict(58, 5, 16, 17), TypeVerdict::kImpossible);
  EXPECT_EQ(verdict(67, 5, 18, 18), TypeVerdict::kImpossible);
}

// 14 switches have room for 105 nodes on 32 ports if nodes could be divided, but not for whole ones.
TEST(TypeSearch, DecidesForWholeNodesWhereDividedOnesFit) {
  EXPECT_EQ(verdict(105, 5, 32, 14), TypeVerdict::kImpossible);
  EXPECT_EQ(verdict(328, 5, 100, 14), TypeVerdict::kFound);
}

// 15 switches have room for 40 divided nodes with six NICs on 12 ports.
TEST(TypeSearch, ExcludesTypesOfWhichANodeCostsTooMuch) { EXPECT_EQ(verdict(40, 6, 12, 15), TypeVerdict::kImpossible); }

TEST(TypeSearch, FindsTheDesignsWithTheFewestPortsOfTheTable) {
  EXPECT_EQ(verdict(64, 3, 28, 7), TypeVerdict::kFound);
  EXPECT_EQ(verdict(64, 4, 27, 8), TypeVerdict::kFound);
  EXPECT_EQ(verdict(64, 4, 26, 9), TypeVerdict::kFound);
  EXPECT_EQ(verdict(64, 4, 31, 9), TypeVerdict::kFound);
}

// W. H. Mills, Covering designs I (1979): to cover all pairs of n nodes, b switches need at least n / f
// ports, with f = 3/2, 5/3, 9/5, 2, 7/3, 12/5, 5/2, 8/3 for b = 3...10.
TEST(TypeSearch, AgreesWithMillsOnTheFewestPorts) {
  const std::vector<std::vector<int>> table = {{3, 3, 2}, {4, 5, 3},   {5, 9, 5}, {6, 2, 1},
                                               {7, 7, 3}, {8, 12, 5}, {9, 5, 2}, {10, 8, 3}};
  for (const auto& row : table) {
    const int nodes = row[1] * 12;
    const int ports = row[2] * 12;
    EXPECT_EQ(verdict(nodes, 5, ports, row[0]), TypeVerdict::kFound) << row[0] << " switches";
    EXPECT_EQ(verdict(nodes, 5, ports - 1, row[0]), TypeVerdict::kImpossible) << row[0] << " switches";
  }
}

/// FNN_LONG_PROOFS=1 proves the entries that take minutes, too. With sanitizers they would take hours.
bool has_time_for_long_proofs() { return std::getenv("FNN_LONG_PROOFS") != nullptr; }

bool is_impossible(const TypeProblem& problem) {
  return search_types(problem, std::numeric_limits<long long>::max()).verdict == TypeVerdict::kImpossible;
}

void expect_ratio(int nics, int switches) {
  const auto most = most_nodes_per_port(nics, static_cast<std::size_t>(switches));
  ASSERT_TRUE(most);
  const auto nodes = static_cast<int>(kWidestOfRatio * most->nodes + 1);
  EXPECT_TRUE(is_impossible(alike(nodes, nics, static_cast<int>(kWidestOfRatio * most->ports), switches)))
      << nics << " NICs, " << switches << " switches";
}

TEST(TypeSearch, ProvesTheMostNodesPerPort) {
  const bool all = has_time_for_long_proofs();
  for (int switches = 14; switches <= (all ? 20 : 15); ++switches) expect_ratio(5, switches);
  for (int switches = 14; switches <= (all ? 23 : 15); ++switches) expect_ratio(6, switches);
}

/// Proves what `most_nodes` has below `most_nodes_per_port`, up to a width. Returns the number of proofs.
int expect_most_nodes(int nics, int switches, int widest) {
  const auto ratio = most_nodes_per_port(nics, static_cast<std::size_t>(switches));
  int proofs = 0;
  for (int width = 2; ratio && width <= widest; ++width) {
    const auto most = static_cast<int>(*most_nodes(nics, static_cast<std::size_t>(switches), width));
    if (most == width * ratio->nodes / ratio->ports) continue;
    ++proofs;
    EXPECT_TRUE(is_impossible(alike(most + 1, nics, width, switches)))
        << nics << " NICs, " << switches << " switches of " << width << " ports";
  }
  return proofs;
}

// For 20 switches, six NICs are five (most_nodes.cc).
TEST(TypeSearch, ProvesTheMostWholeNodes) {
  const bool all = has_time_for_long_proofs();
  int proofs = 0;
  for (int nics = 5; nics <= 6; ++nics) {
    for (int switches = 3; switches <= (all ? 25 - nics : 14); ++switches) {
      proofs += expect_most_nodes(nics, switches, all ? 100 : 20);
    }
  }
  EXPECT_GT(proofs, 5);
}

// The biplane has seven switches; each node is on four of them, and any two nodes share two. 64 nodes on
// 7 switches need 64 * 4 / 7 = 36.6 ports.
TEST(TypeSearch, FindsTheFewestPortsForRedundancyTwo) {
  EXPECT_EQ(verdict(64, 4, 37, 7, 2), TypeVerdict::kFound);
  EXPECT_EQ(verdict(64, 4, 36, 7, 2), TypeVerdict::kImpossible);
}

TEST(TypeSearch, IsOpenWhenTheEffortIsSpent) {
  EXPECT_EQ(search_types(alike(59, 5, 18, 14), 1000000).verdict, TypeVerdict::kOpen);
}

TEST(TypeSearch, RejectsPatternsManySwitchesAndSwitchesOfMixedMedia) {
  const Limits supported(read_spec(plain_spec(20, 3, kMostTypeSwitches, 9)));
  EXPECT_TRUE(type_problem(supported, Demand::universal(20)));
  EXPECT_FALSE(type_problem(supported, Demand::of_pairs(20, {{0, 1, 1.0}})));
  const Limits many(read_spec(plain_spec(20, 3, kMostTypeSwitches + 1, 9)));
  EXPECT_FALSE(type_problem(many, Demand::universal(20)));
  Json document = plain_spec(20, 3, kMostTypeSwitches, 9);
  document["switches"][0]["ports"] = Json::parse(
      R"([{"count": 8, "speed_mbps": 1000, "media": "rj45"}, {"count": 1, "speed_mbps": 1000, "media": "sfp"}])");
  EXPECT_FALSE(type_problem(Limits(read_spec(document)), Demand::universal(20)));
}

/// A few nodes and switches of all kinds; most specs are near the feasibility threshold.
Spec tiny_spec(Random& random) {
  const auto between = numbers_of(random);
  const int nodes = between(3, 6);
  Json spec = plain_spec(nodes, 1, between(3, 4), 1);
  const bool mixed_media = random.one_in(4);
  for (Json& node : spec["nodes"]) {
    node["nics"] = between(2, 3);
    if (mixed_media) node["nics"] = Json::array();
    for (int k = 0; mixed_media && k < 2; ++k) {
      node["nics"].push_back({{"speed_mbps", 1000}, {"media", random.one_in(2) ? "rj45" : "sfp"}});
    }
  }
  for (std::size_t i = 0; i < spec["switches"].size(); ++i) {
    Json& device = spec["switches"][i];
    const int ports = between(2, nodes - 1);
    device["ports"] = ports;
    if (mixed_media && (i == 0 || (i > 1 && random.one_in(2)))) {  // both media have a switch
      device["ports"] = Json::array({{{"count", ports}, {"speed_mbps", 1000}, {"media", "sfp"}}});
    }
  }
  return read_spec(spec);
}

TEST(TypeSearch, AgreesWithExhaustiveSearchOnTinySpecs) {
  int found = 0;
  int impossible = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    Random random(seed);
    const Spec spec = tiny_spec(random);
    const Limits limits(spec);
    const Demand demand = Demand::universal(spec.nodes.size(), random.one_in(4) ? 2 : 1);
    const auto problem = type_problem(limits, demand);
    ASSERT_TRUE(problem);
    const TypeOutcome outcome = search_types(*problem, kEffort);
    ASSERT_NE(outcome.verdict, TypeVerdict::kOpen);
    const bool exists = design_exists(limits, demand);
    EXPECT_EQ(outcome.verdict == TypeVerdict::kFound, exists) << "seed " << seed;
    (exists ? found : impossible) += 1;
    if (outcome.verdict != TypeVerdict::kFound) continue;
    const Wiring wiring = wiring_of(*problem, outcome, limits);
    EXPECT_EQ(broken_limit(wiring), "") << "seed " << seed;
    for (int a = 0; a < limits.node_count(); ++a) {
      for (int b = a + 1; b < limits.node_count(); ++b) {
        int shared = 0;
        for (int device = 0; device < limits.switch_count(); ++device) {
          shared += wiring.is_on(a, device) && wiring.is_on(b, device) ? 1 : 0;
        }
        EXPECT_GE(shared, demand.redundancy()) << "seed " << seed << ": " << a << " and " << b;
      }
    }
  }
  EXPECT_GT(found, 100);
  EXPECT_GT(impossible, 100);
}

TEST(TypeSearch, AgreesWithExhaustiveSearchOnNodesThatAreAlike) {
  int found = 0;
  int impossible = 0;
  for (int nodes = 4; nodes <= 6; ++nodes) {
    for (int nics = 2; nics <= 3; ++nics) {
      for (int switches = 3; switches <= 5; ++switches) {
        for (int ports = 2; ports < nodes; ++ports) {
          const Limits limits(read_spec(plain_spec(nodes, nics, switches, ports)));
          const bool exists = design_exists(limits, Demand::universal(static_cast<std::size_t>(nodes)));
          const TypeVerdict expected = exists ? TypeVerdict::kFound : TypeVerdict::kImpossible;
          EXPECT_EQ(verdict(nodes, nics, ports, switches), expected)
              << nodes << " nodes, " << nics << " NICs, " << switches << " switches of " << ports;
          (exists ? found : impossible) += 1;
        }
      }
    }
  }
  EXPECT_GT(found, 20);
  EXPECT_GT(impossible, 20);
}

}  // namespace
}  // namespace fnn::testing
