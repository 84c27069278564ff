// SPDX-License-Identifier: GPL-3.0-or-later
// The measures of docs/reference/goals.md, computed by hand. check_test.cc compares them with the check.
#include "design/quality.h"

#include <gtest/gtest.h>

#include <cmath>

#include "search/objective.h"
#include "support.h"

namespace fnn::testing {
namespace {

/// `switches` lists for each node the switches of its NICs, in order.
Json quality(const Json& document, const std::vector<std::vector<int>>& switches,
             const std::optional<Moves>& moves = std::nullopt) {
  const Spec spec = read_spec(document);
  Cabling cabling;
  for (const auto& of_node : switches) {
    auto& cables = cabling.emplace_back();
    for (const int device : of_node) cables.push_back({static_cast<int>(cables.size()), device});
  }
  return quality_of(spec, cabling, Demand(spec), moves);
}

/// The paper's example: six nodes with two NICs on three switches of four ports.
const std::vector<std::vector<int>> kSix = {{0, 1}, {0, 1}, {0, 2}, {0, 2}, {1, 2}, {1, 2}};

TEST(Quality, OfSixNodesIsAsComputedByHand) {
  const Json expected = Json::parse(R"({"pairs": 15, "uncovered": 0, "links": 12, "unused_nics": 0, "unused_ports": 0,
                                        "shared": {"1": 12, "2": 3}, "min_shared": 1, "mean_shared": 1.2,
                                        "exposed": 12, "peak_load": 1.0})");
  EXPECT_EQ(quality(plain_spec(6, 2, 3, 4), kSix), expected);
}

TEST(Quality, CountsOnlyPairsThatMustShareSwitches) {
  Json spec = plain_spec(6, 2, 3, 4);
  spec["coverage"] = "patterns";
  spec["patterns"] = Json::parse(R"([{"kind": "pairs", "pairs": [["n000", "n001", 3], ["n000", "n002", 1]]}])");
  const Json measured = quality(spec, kSix);
  EXPECT_EQ(measured["wanted"], 2);
  EXPECT_EQ(measured["exposed"], 1);
  EXPECT_EQ(measured["mean_shared"], 1.5);
  EXPECT_EQ(measured["mean_shared_by_traffic"], 1.75);  // (3 x 2 + 1 x 1) / 4
  // The first NIC of n000 carries half of 3, and 1; the mean load is twice the traffic of 4 over twelve NICs, 2/3.
  EXPECT_EQ(measured["peak_load"], 3.75);
}

TEST(Quality, AnEvaluationReplacesThePatternsInTraffic) {
  Json spec = plain_spec(6, 2, 3, 4);
  spec["goals"]["evaluation"] = Json::parse(R"({"pairs": [["n000", "n001"]]})");
  EXPECT_EQ(quality(spec, kSix)["mean_shared"], 1.2);
  EXPECT_EQ(quality(spec, kSix)["mean_shared_by_traffic"], 2.0);
  EXPECT_FALSE(quality(spec, kSix).contains("score")) << "nothing has a weight";
}

TEST(Quality, ExposedPairsHaveNoSwitchToSpareForTheirRedundancy) {
  Json spec = plain_spec(3, 3, 3, 3);
  spec["redundancy"] = 2;
  const Json measured = quality(spec, {{0, 1, 2}, {0, 1, 2}, {0, 1}});
  EXPECT_EQ(measured["exposed"], 2);
  EXPECT_EQ(measured["uncovered"], 0);
  EXPECT_EQ(measured["min_shared"], 2);
}

TEST(Quality, ANodeWithoutLinksSharesNothing) {
  const Json measured = quality(plain_spec(3, 1, 1, 3), {{0}, {0}, {}});
  EXPECT_EQ(measured["min_shared"], 0);
  EXPECT_EQ(measured["mean_shared"], 0.333333);
  EXPECT_EQ(measured["uncovered"], 2);
}

TEST(Quality, ThePairsBandwidthIsThatOfTheSlowerLinks) {
  Json spec = plain_spec(2, 2, 2, 2);
  spec["nodes"][0]["nics"] = Json::parse(R"([{"speed_mbps": 10000, "media": "rj45"}, {"speed_mbps": 2500, "media": "rj45"}])");
  spec["switches"][0]["ports"] = Json::parse(R"([{"count": 2, "speed_mbps": 10000, "media": "rj45"}])");
  // 1 Gb/s over the first switch, limited by the NICs of the other node; 1 Gb/s over the second, limited by its ports.
  EXPECT_EQ(quality(spec, {{0, 1}, {0, 1}})["mean_gbps"], 2.0);
  spec["nodes"][1]["nics"] = spec["nodes"][0]["nics"];
  EXPECT_EQ(quality(spec, {{0, 1}, {0, 1}})["mean_gbps"], 11.0);
}

TEST(Quality, ASwitchOfSeveralSpeedsIsAsFastAsItsSlowestPort) {
  Json spec = plain_spec(2, 1, 1, 2);
  spec["nodes"][0]["nics"] = spec["nodes"][1]["nics"] =
      Json::parse(R"([{"speed_mbps": 10000, "media": "rj45"}, {"speed_mbps": 25000, "media": "sfp"}])");
  spec["switches"][0]["ports"] =
      Json::parse(R"([{"count": 2, "speed_mbps": 100, "media": "rj45"}, {"count": 4, "speed_mbps": 10000, "media": "rj45"},
                      {"count": 1, "speed_mbps": 10000, "media": "sfp"}])");
  EXPECT_EQ(quality(spec, {{0}, {0}})["mean_gbps"], 0.1);
}

TEST(Quality, CableLengthIsTheManhattanDistanceOfRacks) {
  Json spec = plain_spec(3, 1, 1, 3);
  spec["racks"] = Json::parse(R"([{"name": "a", "x_m": 0, "y_m": 1.5}, {"name": "b", "x_m": -3, "y_m": 4}])");
  spec["nodes"][0]["rack"] = "a";
  spec["nodes"][1]["rack"] = "b";
  spec["switches"][0]["rack"] = "a";
  EXPECT_EQ(quality(spec, {{0}, {0}, {0}})["cable_length_m"], 5.5);
}

TEST(Quality, PricesComponentsInUse) {
  Json spec = plain_spec(2, 2, 3, 2);
  spec["prices"] = Json::parse(R"({"nic": 10, "cable": 2, "cable_m": 1, "port": 4, "node": 500})");
  spec["racks"] = Json::parse(R"([{"name": "a", "x_m": 0, "y_m": 0}, {"name": "b", "x_m": 3, "y_m": 0}])");
  for (Json& node : spec["nodes"]) node["rack"] = "a";
  for (Json& device : spec["switches"]) device["rack"] = "b";
  spec["switches"][0]["price"] = 100;
  // Two cables of 3 m, two NICs, a switch at 100; then four cables, four NICs, and also a switch of two ports at 4.
  EXPECT_EQ(quality(spec, {{0}, {0}})["price"], 130.0);
  EXPECT_EQ(quality(spec, {{0, 1}, {0, 1}})["price"], 168.0);
  spec["prices"]["switch"] = 50;
  EXPECT_EQ(quality(spec, {{0, 1}, {0, 1}})["price"], 210.0);
}

TEST(Quality, TheScoreIsTheSumThatIsMinimized) {
  Json spec = plain_spec(6, 2, 3, 4);
  spec["goals"] = Json::parse(R"({"shared_switches": 1, "balance": 2, "exposure": 0.5, "price": 10, "moved_cables": 0.25})");
  // Twelve pairs share one switch, three share two; twelve NICs have the mean load; twelve pairs are exposed;
  // three switches are full; four cables are kept.
  const double expected = -(12 + 3 * std::pow(2, 0.875)) + 2 * 12 + 0.5 * 12 + 10 * 3 - 0.25 * 4;
  EXPECT_NEAR(quality(spec, kSix, Moves{4, 8, 0})["score"], expected, 1e-6);
}

Spec with_one_goal(const Spec& spec, const char* goal) {
  Json document = spec.normal;
  Json goals = {{goal, document["goals"][goal]}};
  if (document["goals"].contains("evaluation")) goals["evaluation"] = document["goals"]["evaluation"];
  document["goals"] = goals;
  return read_spec(document);
}

// The search adds integers, the document states the exact sum: they differ only by rounding.
TEST(Quality, TheScoreOfEveryGoalIsThatOfTheSearch) {
  const int specs = cases(80, 200);
  int compared = 0;
  for (int seed = 0; seed < specs; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const Spec whole = read_spec(many_sided_spec(random));
    const Limits limits(whole);
    Wiring before(limits);
    before.fill(random);
    Wiring now(limits);
    now.fill(random);
    const FormerLinks former_links(limits, cabled(links_of(before), {}, limits));
    const Cabling cabling = cabled(links_of(now), {}, limits);
    for (const char* goal : {"shared_switches", "balance", "exposure", "cable_length", "moved_cables", "price"}) {
      if (!whole.normal["goals"].contains(goal)) continue;
      const Spec spec = with_one_goal(whole, goal);
      const Objective objective(spec, limits, goals_of(spec), &former_links);
      const Json measured = quality_of(spec, cabling, Demand(spec), Moves{former_links.kept(now), 0, 0});
      const double searched = static_cast<double>(objective.cost(now)) / static_cast<double>(kShare);
      EXPECT_NEAR(measured["score"], searched, 0.01 + 0.002 * std::abs(searched)) << goal << ", seed " << seed;
      ++compared;
    }
  }
  EXPECT_GT(compared, specs * 9 / 4);
}

}  // namespace
}  // namespace fnn::testing
