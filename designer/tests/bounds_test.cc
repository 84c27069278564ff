// SPDX-License-Identifier: GPL-3.0-or-later
// The values of the bounds. The messages for infeasible specs are tested by tests/errors/infeasible.
#include "oracle/bounds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "brute_force.h"
#include "named_bounds.h"
#include "program/designing.h"
#include "spec/patterns.h"
#include "support.h"

namespace fnn::testing {
namespace {

bool all_hold(const Json& document) {
  const auto bounds = bounds_of(document);
  return std::all_of(bounds.begin(), bounds.end(), [](const auto& bound) { return bound.second.holds(); });
}

// Three switches of 4 ports: a node meets 2 * 3 = 6 others and needs 5; 6 * 2 = 12 links for 3 * 4 ports;
// 3 * 6 = 18 pairs, of which 15 are needed; Fueredi: 6 * 2 / 3 = 4 ports.
TEST(Bounds, OfSixNodesAreAsComputedByHand) {
  const auto bounds = bounds_of(data("six.json"));
  EXPECT_EQ(bounds.at("degree").needed, 5);
  EXPECT_EQ(bounds.at("degree").available, 6);
  EXPECT_EQ(bounds.at("slots").needed, 12);
  EXPECT_EQ(bounds.at("slots").available, 12);
  EXPECT_EQ(bounds.at("schoenheim").needed, 3);
  EXPECT_EQ(bounds.at("pairs").needed, 15);
  EXPECT_EQ(bounds.at("pairs").available, 18);
  EXPECT_EQ(bounds.at("fueredi").needed, 4);
}

// Links per node: 63 / 30 rounded up is 3; 64 * 3 = 192 links need 192 / 31 rounded up = 7 switches.
TEST(Bounds, SchoenheimRequiresSevenSwitchesForKlat2) {
  EXPECT_EQ(bounds_of(data("klat2.json")).at("schoenheim").needed, 7);
  EXPECT_TRUE(all_hold(plain_spec(64, 4, 7, 31)));
  EXPECT_FALSE(all_hold(plain_spec(64, 4, 6, 31)));
}

// Fueredi for n nodes with r NICs: n * r / (r * r - r + 1) ports, rounded up.
TEST(Bounds, FuerediGivesTheFewestPortsOfTheTable) {
  const std::vector<std::vector<int>> table = {{64, 2, 43}, {64, 3, 28}, {64, 4, 20}, {1024, 5, 244}, {128, 3, 55}};
  for (const auto& row : table) {
    EXPECT_EQ(bounds_of(plain_spec(row[0], row[1], 40, 300)).at("fueredi").needed, row[2]);
  }
}

// No projective plane of order 6 exists: n / (r - 1) = 60 / 6 = 10 instead of 60 * 7 / 43 = 9.8.
TEST(Bounds, FuerediRequiresMorePortsWhereNoPlaneExists) {
  EXPECT_EQ(bounds_of(plain_spec(86, 7, 60, 40)).at("fueredi").needed, 15);  // 86 / 6 = 14.3; 86 * 7 / 43 = 14
  EXPECT_EQ(bounds_of(plain_spec(86, 6, 60, 40)).at("fueredi").needed, 17);  // 86 * 6 / 31 = 16.6
}

// Switches of 8, 4 and 2 ports: a node with 2 NICs meets 7 + 3 = 10 others, a node with 1 NIC only 7.
TEST(Bounds, TheDegreeBoundIsThatOfTheNodeWithTheFewestNics) {
  Json document = plain_spec(9, 2, 3, 8);
  document["switches"][1]["ports"] = 4;
  document["switches"][2]["ports"] = 2;
  EXPECT_EQ(bounds_of(document).at("degree").available, 10);
  document["nodes"][4]["nics"] = 1;
  EXPECT_EQ(bounds_of(document).at("degree").available, 7);
  EXPECT_EQ(bounds_of(document).at("degree").needed, 8);
}

TEST(Bounds, OnlySwitchesWithPortsOfItsMediaCountForANic) {
  Json document = plain_spec(5, 2, 2, 5);
  document["nodes"][0]["nics"] = Json::parse(
      R"([{"speed_mbps": 1000, "media": "rj45"}, {"speed_mbps": 10000, "media": "sfp"}])");
  document["switches"].push_back({{"name", "one-port"}, {"ports", {{{"count", 1}, {"media", "sfp"}}}}});
  EXPECT_EQ(bounds_of(document).at("degree").available, 4);  // one switch of 5
}

TEST(Bounds, PortsBeyondTheNumberOfNodesDoNotCount) {
  EXPECT_EQ(bounds_of(plain_spec(3, 1, 1, 1000)).at("pairs").available, 3);
}

// A bound that rejects a spec with a valid design is wrong.
TEST(Bounds, HoldForEveryDesignThatTheSearchFinds) {
  const int specs = cases(130, 400);
  int found = 0;
  for (int seed = 0; seed < specs; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const Spec spec = read_spec(random_spec(random));
    DesignRequest request;
    request.generations = 2;
    const Designed designed = design(spec, std::nullopt, request, [](std::int64_t, const Individual&) {});
    std::vector<std::vector<bool>> on(spec.nodes.size(), std::vector<bool>(spec.switches.size(), false));
    for (std::size_t i = 0; i < spec.nodes.size(); ++i) {
      for (const Cable& cable : designed.cabling[i]) on[i][static_cast<std::size_t>(cable.device)] = true;
    }
    bool covered = true;
    for (std::size_t a = 0; a < on.size(); ++a) {
      for (std::size_t b = a + 1; b < on.size(); ++b) {
        bool shared = false;
        for (std::size_t j = 0; j < spec.switches.size(); ++j) shared = shared || (on[a][j] && on[b][j]);
        covered = covered && shared;
      }
    }
    if (!covered) continue;
    ++found;
    for (const Bound& bound : compute_bounds(spec)) {
      EXPECT_TRUE(bound.holds()) << "seed " << seed << ": " << bound.message;
    }
  }
  EXPECT_GT(found, specs / 10) << "too few designs to mean anything";
}

// Two shared switches per pair with 4 NICs: a node needs 2 * 63 = 126 meetings and has 4 * 31 = 124. The
// Fueredi bound is 37 ports, from 64 * 4 * 2 / (4 * 3 + 2) = 36.6.
TEST(Bounds, RedundancyMultipliesTheRequiredMeetings) {
  const Spec spec = read_spec(plain_spec(64, 4, 9, 32));
  const Demand twice = Demand::universal(64, 2);
  std::map<std::string, Bound> bounds;
  for (Bound& bound : compute_bounds(spec.nodes, spec.switches, twice)) bounds.emplace(bound.name, bound);
  EXPECT_EQ(bounds.at("degree").needed, 126);
  EXPECT_EQ(bounds.at("degree").available, 124);
  EXPECT_EQ(bounds.at("pairs").needed, 64 * 63);
  EXPECT_EQ(bounds.at("fueredi").needed, 37);
  EXPECT_EQ(bounds.at("redundancy").available, 4);
}

TEST(Bounds, ANodeWithOneNicCannotShareTwoSwitches) {
  Json document = plain_spec(4, 3, 4, 4);
  document["nodes"][2]["nics"] = 1;
  const Spec spec = read_spec(document);
  const std::vector<Bound> bounds = compute_bounds(spec.nodes, spec.switches, Demand::universal(4, 2));
  EXPECT_EQ(bounds.front().message, "n002 can be on at most 1 switch, but must share 2 with others");
  EXPECT_FALSE(bounds.front().holds());
}

// Half of the nodes have 2 NICs. These 30 alone need 30 * 2 / 3 = 20 ports, while 60 nodes with 4 NICs
// would need 60 * 4 / 13 = 18.5.
TEST(Bounds, FuerediAlsoAppliesToTheNodesWithFewNicsAlone) {
  Json document = plain_spec(60, 4, 13, 19);
  for (std::size_t i = 0; i < 30; ++i) document["nodes"][i]["nics"] = 2;
  EXPECT_EQ(bounds_of(document).at("fueredi").needed, 20);
}

// The best widths of the table where the plain Fueredi bound is one port too low.
TEST(Bounds, ThePlaneBoundRequiresOneMorePortWhereWidthsDoNotDivide) {
  const std::vector<std::vector<int>> table = {{16, 3, 8, 7},    {16, 4, 6, 13},   {32, 4, 11, 13},  {66, 5, 17, 21},
                                               {96, 5, 24, 21},  {128, 3, 56, 7},  {128, 5, 32, 21}, {256, 5, 62, 21},
                                               {1024, 3, 440, 7}};
  for (const auto& row : table) {
    EXPECT_TRUE(all_hold(plain_spec(row[0], row[1], row[3], row[2]))) << row[0] << "/" << row[1];
    const auto narrower = bounds_of(plain_spec(row[0], row[1], row[3], row[2] - 1));
    EXPECT_TRUE(narrower.at("fueredi").holds()) << row[0] << "/" << row[1];
    EXPECT_FALSE(narrower.at("plane").holds()) << row[0] << "/" << row[1];
  }
  EXPECT_TRUE(all_hold(plain_spec(64, 4, 13, 20)));
}

TEST(Bounds, ThePlaneBoundRequiresAllSwitchesAndAllNics) {
  EXPECT_FALSE(bounds_of(plain_spec(64, 4, 12, 21)).at("plane").holds());
  Json document = plain_spec(64, 4, 13, 21);
  document["nodes"][7]["nics"] = 3;
  EXPECT_FALSE(bounds_of(document).at("plane").holds());
}

// A ring of six nodes and a chord: every node must meet 2 or 3 others.
TEST(Bounds, PatternsCountOnlyWantedPeers) {
  const Spec spec = read_spec(plain_spec(6, 2, 6, 2));
  const Demand ring = Demand::of_pairs(6, {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {3, 4, 1}, {4, 5, 1}, {0, 5, 1}, {0, 3, 1}});
  const std::vector<Bound> bounds = compute_bounds(spec.nodes, spec.switches, ring);
  EXPECT_EQ(bounds.front().name, "degree");
  EXPECT_EQ(bounds.front().needed, 3);
  EXPECT_EQ(bounds.front().available, 2);  // two switches of 2 ports
  EXPECT_EQ(bounds.front().message, "n000 with 2 NICs can share a switch with at most 2 nodes, but its patterns want 3");
}

TEST(Bounds, HoldForEverySpecThatExhaustiveSearchSolves) {
  int feasible = 0;
  int ruled_out = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    Random random(seed);
    const auto between = numbers_of(random);
    const int nodes = between(3, 6);
    Json document = plain_spec(nodes, 1, between(2, 4), 1);
    for (Json& node : document["nodes"]) node["nics"] = between(1, 3);
    for (Json& device : document["switches"]) device["ports"] = between(1, nodes);
    std::vector<WeightedPair> pairs;
    for (int a = 0; a < nodes; ++a) {
      for (int b = a + 1; b < nodes; ++b) {
        if (!random.one_in(3)) pairs.push_back({a, b, 1.0});
      }
    }
    const int redundancy = random.one_in(3) ? 2 : 1;
    const Spec spec = read_spec(document);
    const Demand demand = random.one_in(2) ? Demand::universal(spec.nodes.size(), redundancy)
                                           : Demand::of_pairs(spec.nodes.size(), pairs, redundancy);
    const std::vector<Bound> bounds = compute_bounds(spec.nodes, spec.switches, demand);
    const bool hold = std::all_of(bounds.begin(), bounds.end(), [](const Bound& bound) { return bound.holds(); });
    ruled_out += hold ? 0 : 1;
    if (!design_exists(Limits(spec), demand)) continue;
    ++feasible;
    for (const Bound& bound : bounds) EXPECT_TRUE(bound.holds()) << "seed " << seed << ": " << bound.message;
  }
  EXPECT_GT(feasible, 50);
  EXPECT_GT(ruled_out, 100);
}

// 64 nodes on eight switches: 64 * 5 / 12 = 26.7 ports.
TEST(Bounds, MillsRequiresTwentySevenPortsForEightSwitches) {
  EXPECT_EQ(bounds_of(plain_spec(64, 4, 8, 27)).at("mills").needed, 27);
  EXPECT_TRUE(all_hold(plain_spec(64, 4, 8, 27)));
}

// 39 * 13 / 46 = 11.02 ports.
TEST(Bounds, RatioRequiresMorePortsForFiveNicsOn17Switches) {
  EXPECT_EQ(bounds_of(plain_spec(39, 5, 17, 11)).at("ratio").needed, 12);
  EXPECT_EQ(bounds_of(plain_spec(124, 5, 18, 34)).at("ratio").needed, 34);
  EXPECT_EQ(bounds_of(plain_spec(125, 5, 18, 34)).at("ratio").needed, 35);
  EXPECT_FALSE(bounds_of(plain_spec(39, 7, 17, 11)).contains("ratio"));
}

// 16 switches of 35 ports have room for 120.3 divided nodes, but only for 119 whole ones.
TEST(Bounds, RatioCountsWholeNodes) {
  EXPECT_EQ(bounds_of(plain_spec(119, 5, 16, 35)).at("ratio").needed, 35);
  EXPECT_EQ(bounds_of(plain_spec(120, 5, 16, 35)).at("ratio").needed, 36);
  EXPECT_EQ(bounds_of(plain_spec(120, 5, 16, 36)).at("ratio").needed, 35) << "divided nodes, as 36 ports are enough";
  EXPECT_EQ(bounds_of(plain_spec(36, 6, 20, 9)).at("ratio").needed, 10) << "for six NICs as for five";
}

}  // namespace
}  // namespace fnn::testing
