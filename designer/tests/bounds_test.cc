// SPDX-License-Identifier: GPL-3.0-or-later
// What is said about infeasible specs is in tests/errors/infeasible; this is about the numbers.
#include "oracle/bounds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "program/designing.h"
#include "support.h"

namespace fnn::testing {
namespace {

std::map<std::string, Bound> bounds_of(const Json& document) {
  const Spec spec = read_spec(document);
  std::map<std::string, Bound> bounds;
  for (Bound& bound : compute_bounds(spec.nodes, spec.switches)) bounds.emplace(bound.name, bound);
  return bounds;
}

bool all_hold(const Json& document) {
  const auto bounds = bounds_of(document);
  return std::all_of(bounds.begin(), bounds.end(), [](const auto& bound) { return bound.second.holds(); });
}

// Three switches of 4 ports: a node meets 2 * 3 = 6 others and needs 5; 6 * 2 = 12 links for
// 3 * 4 ports; 3 * 6 = 18 pairs of 15; Fueredi: 6 * 2 / 3 = 4 ports.
TEST(Bounds, OfThePapersSixNodes) {
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
TEST(Bounds, SchoenheimSaysThatKlat2NeedsSevenSwitches) {
  EXPECT_EQ(bounds_of(data("klat2.json")).at("schoenheim").needed, 7);
  EXPECT_TRUE(all_hold(plain_spec(64, 4, 7, 31)));
  EXPECT_FALSE(all_hold(plain_spec(64, 4, 6, 31)));
}

// Fueredi for n nodes with r NICs: n * r / (r * r - r + 1) ports, rounded up.
TEST(Bounds, FuerediGivesTheBestWidthsOfTheTable) {
  const std::vector<std::vector<int>> table = {{64, 2, 43}, {64, 3, 28}, {64, 4, 20}, {1024, 5, 244}, {128, 3, 55}};
  for (const auto& row : table) {
    EXPECT_EQ(bounds_of(plain_spec(row[0], row[1], 40, 300)).at("fueredi").needed, row[2]);
  }
}

// No projective plane of order 6: n / (r - 1) = 60 / 6 = 10 instead of 60 * 7 / 43 = 9.8.
TEST(Bounds, FuerediAsksForMoreWhereThereIsNoPlane) {
  EXPECT_EQ(bounds_of(plain_spec(86, 7, 60, 40)).at("fueredi").needed, 15);  // 86 / 6 = 14.3; 86 * 7 / 43 = 14
  EXPECT_EQ(bounds_of(plain_spec(86, 6, 60, 40)).at("fueredi").needed, 17);  // 86 * 6 / 31 = 16.6
}

// Widths 8, 4 and 2: a node with 2 NICs meets 7 + 3 = 10, one with 1 NIC only 7.
TEST(Bounds, TheDegreeBoundIsThatOfThePoorestNode) {
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
  EXPECT_EQ(bounds_of(document).at("degree").available, 4);  // one switch of 5
}

TEST(Bounds, PortsBeyondTheNumberOfNodesHelpNobody) {
  EXPECT_EQ(bounds_of(plain_spec(3, 1, 1, 1000)).at("pairs").available, 3);
}

// Whatever can be designed must pass every bound, else a bound is wrong.
TEST(Bounds, NeverRuleOutWhatASearchFinds) {
  int found = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Random random(seed);
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
    for (const Bound& bound : compute_bounds(spec.nodes, spec.switches)) {
      EXPECT_TRUE(bound.holds()) << "seed " << seed << ": " << bound.message;
    }
  }
  EXPECT_GT(found, 40) << "too few designs to mean anything";
}

// 64 / 4 / 9 switches of 20: slots 64 * ceil(63/19) = 256 > 180. With 22 ports ceil(63/21) = 3 links
// do, 192 <= 198; with 13 switches of 20, 260 ports are enough.
TEST(Suggestions, AreTheSmallestChangesThatPassEveryBound) {
  const std::vector<Suggestion> found = suggest_changes(read_spec(plain_spec(64, 4, 9, 20)));
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].change, "ports");
  EXPECT_EQ(found[0].add, 2);
  EXPECT_EQ(found[0].message, "22 ports on every switch instead of 20");
  EXPECT_EQ(found[1].change, "switches");
  EXPECT_EQ(found[1].add, 4);
  EXPECT_TRUE(all_hold(plain_spec(64, 4, 9, 22)));
  EXPECT_FALSE(all_hold(plain_spec(64, 4, 9, 21)));
  EXPECT_FALSE(all_hold(plain_spec(64, 4, 12, 20)));
}

}  // namespace
}  // namespace fnn::testing
