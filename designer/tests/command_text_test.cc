// SPDX-License-Identifier: GPL-3.0-or-later
// The answers of subcommands as text for people.
#include <gtest/gtest.h>

#include "program/design_text.h"
#include "program/evaluation_text.h"
#include "program/spec_text.h"
#include "support.h"

namespace fnn::testing {
namespace {

std::string last_lines(const Json& more) {
  const std::string lab = std::string(FNN_INVENTORY) + "/lab/";
  Json answer = {{"verdict", "found"}, {"stage", "genetic"}, {"seconds", 0.0123}};
  answer.update(more);
  const std::string text = design_text(read_json(lab + "design.json"), read_spec_file(lab + "spec.json"), answer, "d.json");
  return text.substr(text.rfind("\n\n") + 2);
}

TEST(CommandText, OfADesignEndsWithTheResultOfTheSearch) {
  EXPECT_EQ(last_lines(Json::object()), "d.json: found by stage genetic in 0.0123 s\n");
  EXPECT_EQ(last_lines({{"verdict", "not-found"}, {"interrupted", true}}),
            "d.json: interrupted, not found, this is the best so far; by stage genetic in 0.0123 s\n");
  EXPECT_EQ(last_lines({{"kept_links", 11}, {"moved_links", 1}, {"moved_at_least", 0}, {"headroom", 2}}),
            "d.json: found by stage genetic in 0.0123 s; 11 cables kept, 1 moved, at least 0 must move; "
            "room for 2 more nodes\n");
  EXPECT_EQ(last_lines({{"settled", {{"switches", {{"value", 7}, {"how", "proved"}}}}}}),
            "switches: 7 (proved optimal)\nd.json: found by stage genetic in 0.0123 s\n");
}

TEST(CommandText, OfTheQuickFormStatesHowFarTheNumberOfSwitchesIsProved) {
  const auto line = [](const Json& switches) {
    const std::string text = last_lines({{"settled", {{"switches", switches}}}});
    return text.substr(0, text.find('\n'));
  };
  EXPECT_EQ(line({{"value", 12}, {"how", "proved"}, {"at_least", 12}, {"best_known", 13}}),
            "switches: 12 (proved optimal)");
  EXPECT_EQ(line({{"value", 23}, {"how", "best-known"}, {"at_least", 21}, {"best_known", 23}}),
            "switches: 23 (best known; at least 21 are necessary)");
  EXPECT_EQ(line({{"value", 13}, {"how", "found"}, {"at_least", 12}, {"best_known", 17}}),
            "switches: 13 (found; known until now: 17; at least 12 are necessary)");
}

TEST(CommandText, OfASpecListsTheKindsOfNodesAndSwitches) {
  Json spec = plain_spec(3, 2, 2, 4);
  spec["nodes"][2]["nics"] = Json::parse(R"([{"speed_mbps": 2500}, {"media": "sfp28"}])");
  for (Json& device : spec["switches"]) device["ports"] = Json::parse(R"([{"count": 3}, {"count": 1, "media": "sfp+"}])");
  spec["switches"][1]["reserved"] = 1;
  spec["uplink"] = {{"name", "core"}, {"ports", 5}};
  spec["goals"] = {{"balance", 2}};
  spec["redundancy"] = 2;
  EXPECT_EQ(spec_text(read_spec(spec).normal),
            "test: a valid spec of topology fnn (--json prints its normal form)\n"
            "\n"
            "2 NICs of 1000 Mb/s rj45                                         n000-n001\n"
            "1 NIC of 2500 Mb/s rj45, 1 NIC of 1000 Mb/s sfp28                n002\n"
            "3 ports of 1000 Mb/s rj45, 1 port of 1000 Mb/s sfp+, 1 reserved  s00-s01\n"
            "5 ports, joins the switches                                      core\n"
            "aims: redundancy 2, goal balance 2\n");
}

TEST(CommandText, OfAnEvaluationHasTheHeadlinesAndTheComparison) {
  const Json answer = Json::parse(R"({"evaluation": "e.json", "switches_traversed": {"exact": "1", "value": 1.0},
    "pairwise": {"exact": "6/5", "value": 1.2}, "bisection_gbps": {"best": 12.0, "conservative": 7.2},
    "worst_case": {"basic": 0.5, "advanced": 1.0}, "comparison": [{"measure": "pairwise", "design": 1.2, "better": "more",
      "best": {"alternative": "ring", "value": 2.0}, "wins_over": ["tree"], "even_with": [], "loses_to": ["ring"]}]})");
  EXPECT_EQ(evaluation_text(answer),
            "e.json: written\n"
            "\n"
            "switches between two nodes, mean         1\n"
            "bandwidth of a pair alone, mean          1.2 links\n"
            "bisection, best and conservative         12 and 7.2 Gb/s\n"
            "least share of the optimum, all traffic  0.5 with routing basic, 1 with advanced\n"
            "\n"
            "measure   this design  better  best  network  wins over  even with  loses to\n"
            "pairwise  1.2          more    2     ring     1          0          1\n");
}

TEST(CommandText, OfAnEvaluationOfARingHasTheNodesBetween) {
  const Json answer = Json::parse(R"({"evaluation": "e.json", "switches_traversed": null, "pairwise": {"value": 1.0},
    "nodes_between": {"mean": {"exact": "1/3", "value": 0.333333}}, "comparison": [],
    "worst_case": {"permutation": null}})");
  EXPECT_EQ(evaluation_text(answer),
            "e.json: written\n"
            "\n"
            "nodes between two nodes, mean     0.3333\n"
            "switches between two nodes, mean  -\n"
            "bandwidth of a pair alone, mean   1 links\n");
}

}  // namespace
}  // namespace fnn::testing
