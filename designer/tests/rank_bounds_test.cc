// SPDX-License-Identifier: GPL-3.0-or-later
// docs/reference/bounds.md has the proofs. A bound that rejects a spec with a design is the worst fault, so claims are
// compared with exhaustive searches, here and in bounds_test.cc.
#include "oracle/rank_bounds.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "design/check_certificate.h"
#include "named_bounds.h"
#include "oracle/blow_ups.h"
#include "oracle/capacity.h"
#include "oracle/type_search.h"
#include "support.h"

namespace fnn::testing {
namespace {

const std::vector<std::string> kNames = {"fisher", "rank", "twins", "sizes", "determinant"};

Json certificate_of(const Bound& bound) {
  Json json = {{"bound", bound.name}, {"needed", bound.needed}, {"available", bound.available}};
  if (bound.multiplier) {
    json["multiplier"] = {{"numerator", bound.multiplier->numerator}, {"denominator", bound.multiplier->denominator}};
  }
  return json;
}

// 35 nodes on 10 ports have at least 4 links: 4 * 9 = 36 for 34 others. An excess of 2 is less than 4 - 1, so at most
// b nodes have 4 links. The others have 5: with 15 switches 15 * 4 + 20 * 5 = 160 links for 150 ports.
TEST(RankBounds, FisherLetsNoMoreNodesThanSwitchesHaveFewLinks) {
  const Bound bound = bounds_of(plain_spec(35, 5, 15, 10)).at("fisher");
  EXPECT_EQ(bound.needed, 160);
  EXPECT_EQ(bound.available, 150);
  EXPECT_EQ(bound.message,
            "35 nodes on 15 switches need at least 160 links (Fisher), but the switches have only 150 ports for nodes");
  expect_only(plain_spec(35, 5, 15, 10), "fisher");
  EXPECT_TRUE(bounds_of(plain_spec(35, 5, 16, 10)).at("fisher").holds());
}

// With 4 NICs there is no other choice: 14 nodes on 14 switches of 5 ports, and 15 would need 15 switches.
TEST(RankBounds, FisherCountsSwitchesWhereNoNodeHasMoreNics) {
  const Bound bound = bounds_of(plain_spec(15, 4, 14, 5)).at("fisher");
  EXPECT_EQ(bound.needed, 15);
  EXPECT_EQ(bound.available, 14);
  EXPECT_FALSE(bound.multiplier);
  EXPECT_EQ(bound.message, "15 nodes with so few NICs need at least 15 switches (Fisher), but there are only 14");
}

// 4 links: excess 4 * 26 - 92 = 12 = 4 * 3, share 1 / 5. 5 links: 38 = 9 * 4 + 2, share 1 / (10 + 1/4) = 4 / 41. With 15
// switches at least 36 nodes need 5 links, as 57 / 5 + 36 * 4 / 41 = 14.9: 372 + 36 = 408 links for 405 ports.
TEST(RankBounds, RankCountsSharesOfNodesThatMeetOthersOften) {
  EXPECT_EQ(bounds_of(plain_spec(93, 5, 15, 27)).at("rank").needed, 408);
  expect_only(plain_spec(93, 5, 15, 27), "rank");
  EXPECT_FALSE(bounds_of(plain_spec(93, 5, 15, 27)).contains("fisher"));
  const auto wide = bounds_of(plain_spec(93, 5, 16, 27));
  EXPECT_TRUE(!wide.contains("rank") || wide.at("rank").holds());
}

// 16 switches: 4 links have the share 9 / 13. 5 links: excess 11, and a row's squares count as 39.52 (twin_squares_test.cc), not
// 2 * 16 + 9: share 16 / 55.52 in place of 16 / 57. The 15 nodes that can have 4 links leave 5.615 for 20 others, but they
// have 5.764.
TEST(RankBounds, TwinsCountsLargerSharesOfNodesThatCannotAllHaveTwins) {
  const auto bounds = bounds_of(plain_spec(35, 5, 16, 10));
  EXPECT_TRUE(bounds.at("rank").holds());
  EXPECT_EQ(bounds.at("twins").needed, 161);
  expect_only(plain_spec(35, 5, 16, 10), "twins");
  EXPECT_EQ(bounds.at("twins").message,
            "35 nodes on 16 switches need at least 161 links (rank of the incidence matrix, few twins), but the switches have "
            "only 160 ports for nodes");
  const auto wide = bounds_of(plain_spec(35, 5, 17, 10));
  EXPECT_TRUE(!wide.contains("twins") || wide.at("twins").holds());
}

// As above, but 15 nodes have only 4 NICs. `rank` counts 15 * 9 / 13 + 20 * 16 / 57 = 15.9987 shares for the 16 switches.
TEST(RankBounds, TwinsCountsNodesWithDifferentNumbersOfNics) {
  Json document = plain_spec(35, 5, 16, 10);
  for (std::size_t i = 0; i < 15; ++i) document["nodes"][i]["nics"] = 4;
  const auto bounds = bounds_of(document);
  EXPECT_TRUE(!bounds.contains("rank") || bounds.at("rank").holds());
  expect_only(document, "twins");
  const Bound& bound = bounds.at("twins");
  EXPECT_EQ(bound.needed, 17);
  EXPECT_EQ(bound.available, 16);
  const Json spec = read_spec(document).normal;
  Json certificate = certificate_of(bound);
  EXPECT_EQ(check_certificate(spec, certificate), true);
  certificate["needed"] = 18;
  EXPECT_EQ(check_certificate(spec, certificate), false);
}

// With q + 1 links, every node of a plane of order q counts 1; so does each type when all its nodes count together.
TEST(RankBounds, AreAttainedByBlownUpPlanes) {
  for (const Family& family : families(6, 40, 1)) {
    if (family.order == 0) continue;
    const int nics = family.order + 1;
    for (int copies = 1; copies < 4; ++copies) {
      const int nodes = family.switches * copies;
      const int ports = nics * copies;
      EXPECT_EQ(fewest_switches_by_bounds(nodes, nics, ports), family.switches) << "order " << family.order;
      EXPECT_EQ(bounds_of(plain_spec(nodes, nics, family.switches, ports)).count("rank"), 0U);
    }
  }
}

// Two shared switches per pair. 5 links on switches of 6: excess 25 - 2 * 12 = 1 < 5 - 2.
TEST(RankBounds, RedundancyIsSubtractedFromTheDiagonal) {
  Json document = plain_spec(13, 5, 12, 6);
  document["redundancy"] = 2;
  const Bound bound = bounds_of(document).at("fisher");
  EXPECT_EQ(bound.needed, 13);
  EXPECT_EQ(bound.available, 12);
}

// A node that may have more links than others takes more ports: two of the 35 nodes above have 6 NICs, the switches 9 to
// 10 ports.
TEST(RankBounds, AcceptDifferentWidthsAndNumbersOfNics) {
  Json document = plain_spec(35, 5, 16, 10);
  document["nodes"][3]["nics"] = 6;
  for (std::size_t j = 0; j < 4; ++j) document["switches"][j]["ports"] = 9;
  const Bound bound = bounds_of(document).at("fisher");
  EXPECT_EQ(bound.needed, 16 * 4 + 19 * 5);
  EXPECT_EQ(bound.available, 156);
  EXPECT_FALSE(bound.holds());
}

TEST(RankBounds, SwitchesWithOnePortDoNotCount) {
  Json document = plain_spec(15, 4, 20, 5);
  for (std::size_t j = 14; j < 20; ++j) document["switches"][j]["ports"] = 1;
  EXPECT_EQ(bounds_of(document).at("fisher").available, 14);
}

TEST(RankBounds, GiveWithRatioTheFewestSwitchesOfTheFrontier) {
  const std::vector<std::vector<int>> table = {{46, 6, 11, 22}, {24, 6, 6, 21},   {35, 5, 10, 17}, {36, 5, 10, 18},
                                               {93, 5, 27, 17}, {126, 5, 36, 17}, {57, 5, 16, 18}, {59, 6, 13, 26},
                                               {68, 6, 18, 19}};
  for (const auto& row : table) {
    EXPECT_EQ(fewest_switches_by_bounds(row[0], row[1], row[2]), row[3]) << row[0] << "/" << row[1];
  }
}

/// A random small spec whose nodes may differ, also in NICs and redundancy.
Json random_document(Random& random, int most_nodes, int most_switches) {
  const auto between = numbers_of(random);
  const int nodes = between(3, most_nodes);
  const int nics = between(2, 4);
  Json document = plain_spec(nodes, nics, between(3, most_switches), 1);
  const int ports = (nodes - 2) / nics + between(2, 4);
  const bool alike = random.one_in(2);
  for (Json& device : document["switches"]) device["ports"] = alike ? ports : between(std::max(1, ports - 1), ports + 1);
  if (!alike) {
    for (Json& node : document["nodes"]) node["nics"] = between(nics - 1, nics);
  }
  document["redundancy"] = random.one_in(4) ? 2 : 1;
  return document;
}

TEST(RankBounds, HoldForEverySpecThatTheSearchOverTypesSolves) {
  int feasible = 0;
  int ruled_out = 0;
  const int specs = cases(600, 6000);
  for (int seed = 0; seed < specs; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const Json document = random_document(random, 18, 9);
    const Spec spec = read_spec(document);
    const auto bounds = bounds_of(spec);
    const bool others_hold = std::all_of(bounds.begin(), bounds.end(), [](const auto& one) {
      return one.second.holds() || std::find(kNames.begin(), kNames.end(), one.first) != kNames.end();
    });
    if (!others_hold) continue;
    const auto problem = type_problem(Limits(spec), Demand(spec));
    ASSERT_TRUE(problem);
    const TypeOutcome outcome = search_types(*problem, 5000000);
    feasible += outcome.verdict == TypeVerdict::kFound ? 1 : 0;
    for (const std::string& name : kNames) {
      if (!bounds.contains(name) || bounds.at(name).holds()) continue;
      ++ruled_out;
      EXPECT_NE(outcome.verdict, TypeVerdict::kFound) << "seed " << seed << ": " << bounds.at(name).message;
      EXPECT_EQ(check_certificate(spec.normal, certificate_of(bounds.at(name))), true) << "seed " << seed;
    }
  }
  EXPECT_GT(feasible, specs / 20);
  EXPECT_GT(ruled_out, specs / 100);
}

// The constructions of the capacity table are designs, many of them with the most nodes that there can be.
TEST(RankBounds, AllowTheConstructionsOfTheCapacityTable) {
  for (int nics = 2; nics <= 6; ++nics) {
    for (int ports = 2; ports <= 60; ++ports) {
      const Capacity entry = capacity(nics, ports);
      EXPECT_TRUE(rank_bounds_allow(entry.nodes, nics, ports)) << nics << "/" << ports;
      const auto bounds = bounds_of(plain_spec(static_cast<int>(entry.nodes), nics, entry.family.switches, ports));
      for (const auto& [name, bound] : bounds) EXPECT_TRUE(bound.holds()) << nics << "/" << ports << ": " << bound.message;
    }
  }
}

}  // namespace
}  // namespace fnn::testing
