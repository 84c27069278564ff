// SPDX-License-Identifier: GPL-3.0-or-later
// The independence of the check. Its messages for wrong designs are tested by tests/errors/design.
#include "design/check.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>

#include "design/design_document.h"
#include "support.h"

namespace fnn::testing {
namespace {

TEST(CheckTest, SharesNoCodeWithTheSearch) {
  for (const char* file : {"check", "check_frame", "check_measures", "recount", "wanted_pairs"}) {
    for (const char* end : {".cc", ".h"}) {
      const std::string source = read_file(std::filesystem::path(FNN_TEST_DATA) / "../../src/design" / (file + std::string(end)));
      for (const char* header : {"search/", "bitset.h", "design/wiring.h", "design/evaluation.h", "design/port_limits.h",
                                 "design/cabling.h", "design/quality.h", "design/shared_switches.h", "design/link_speeds.h",
                                 "spec/patterns.h", "spec/goals.h", "spec/demand.h"}) {
        EXPECT_EQ(source.find(std::string("#include \"") + header), std::string::npos) << file << end << " " << header;
      }
    }
  }
}

// Moves each single cable of a valid design to each other switch: 12 cables, 2 other switches. Every port
// and every pair matters in this design, so the check must reject all 24 variants.
TEST(CheckTest, RejectsEveryMisplacedCable) {
  const TemporaryDirectory scratch;
  run_designer({"design", std::string(FNN_TEST_DATA) + "/six.json", "-o", scratch / "design.json"});
  const Json good = read_json(scratch / "design.json");
  EXPECT_TRUE(check_design(read_design(good), std::nullopt).empty());
  int tried = 0;
  for (std::size_t i = 0; i < good["nodes"].size(); ++i) {
    for (std::size_t k = 0; k < 2; ++k) {
      for (const char* name : {"red", "blue", "green"}) {
        Json bad = good;
        if (bad["nodes"][i]["links"][k]["switch"] == name) continue;
        bad["nodes"][i]["links"][k]["switch"] = name;
        EXPECT_FALSE(check_design(read_design(bad), std::nullopt).empty()) << i << " " << k << " " << name;
        ++tried;
      }
    }
  }
  EXPECT_EQ(tried, 24);
}

/// A random wiring.
Json any_design(const Json& document, Random& random, const std::optional<Moves>& moves = std::nullopt) {
  const Spec spec = read_spec(document);
  const Limits limits(spec);
  Wiring wiring(limits);
  wiring.fill(random);
  return design_document(spec, cabled(links_of(wiring), {}, limits), 1, {}, moves);
}

std::vector<std::string> violations(const Json& document) {
  std::vector<std::string> lines;
  for (const Problem& problem : check_design(read_design(parse_json(pretty(document), "design.json")), std::nullopt)) {
    lines.push_back(problem.line());
  }
  return lines;
}

TEST(CheckTest, AcceptsTheMeasuresOfRandomDesigns) {
  const int designs = cases(100, 300);
  int scored = 0;
  int priced = 0;
  for (int seed = 0; seed < designs; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const Json document = any_design(many_sided_spec(random), random, Moves{1, 2, 0});
    scored += document["quality"].contains("score") ? 1 : 0;
    priced += document["quality"].contains("price") ? 1 : 0;
    // Each uncovered pair is one violation; there are no others.
    const std::vector<std::string> found = violations(document);
    ASSERT_EQ(found.size(), document["uncovered"].size()) << "seed " << seed << "\n" << ::testing::PrintToString(found);
  }
  EXPECT_GT(scored, designs * 2 / 3);
  EXPECT_GT(priced, designs / 2);
}

/// Two racks, two speeds, prices, goals, patterns: every measure is defined.
Json full_design() {
  Json spec = plain_spec(6, 2, 3, 4);
  spec["racks"] = Json::parse(R"([{"name": "a", "x_m": 0, "y_m": 0}, {"name": "b", "x_m": 1.5, "y_m": 2}])");
  for (std::size_t i = 0; i < 6; ++i) spec["nodes"][i]["rack"] = i < 3 ? "a" : "b";
  for (Json& device : spec["switches"]) device["rack"] = "a";
  spec["switches"][2]["ports"] = Json::parse(R"([{"count": 4, "speed_mbps": 100, "media": "rj45"}])");
  spec["patterns"] = Json::parse(R"([{"kind": "ring"}])");
  spec["coverage"] = "patterns";
  spec["prices"] = Json::parse(R"({"switch": 40, "cable_m": 0.5})");
  spec["goals"] = Json::parse(R"({"shared_switches": 1, "moved_cables": 0.25})");
  Random random(1);
  Json document = any_design(spec, random, Moves{7, 2, 0});
  document["quality"]["headroom"] = 0;
  return document;
}

TEST(CheckTest, ReportsEveryWrongMeasure) {
  const Json good = full_design();
  const std::size_t uncovered = good["uncovered"].size();
  ASSERT_EQ(violations(good).size(), uncovered);
  EXPECT_EQ(good["quality"].size(), 21U);
  for (const auto& [measure, value] : good["quality"].items()) {
    if (measure == "shared" || measure == "moved_links") continue;
    Json bad = good;
    bad["quality"][measure] = value.is_number_float() ? Json(value.get<double>() + 0.00001) : Json(value.get<int>() + 20);
    const std::vector<std::string> found = violations(bad);
    ASSERT_GT(found.size(), uncovered) << measure;
    EXPECT_NE(::testing::PrintToString(found).find("/quality/" + measure + ": "), std::string::npos) << measure;
  }
}

TEST(CheckTest, ReportsEveryMissingMeasure) {
  const Json good = full_design();
  for (const auto& [measure, value] : good["quality"].items()) {
    if (measure == "headroom") continue;  // optional: only stated when headroom was requested
    Json bad = good;
    bad["quality"].erase(measure);
    const std::vector<std::string> found = violations(bad);
    EXPECT_NE(::testing::PrintToString(found).find("/quality/" + measure + ": missing"), std::string::npos) << measure;
  }
}

TEST(CheckTest, ReportsInapplicableMeasures) {
  Random random(1);
  const Json plain = any_design(plain_spec(4, 1, 1, 4), random);
  ASSERT_TRUE(violations(plain).empty());
  for (const char* measure : {"wanted", "mean_shared_by_traffic", "mean_gbps", "cable_length_m", "price", "score"}) {
    Json bad = plain;
    bad["quality"][measure] = 0;
    EXPECT_EQ(violations(bad),
              std::vector<std::string>{std::string("/quality/") + measure + ": 0, but has no meaning for this spec"});
  }
}

TEST(CheckTest, ComparesAStatedSpeedWithTheSlowerEnd) {
  Json spec = plain_spec(2, 1, 1, 2);
  spec["nodes"][0]["nics"] = Json::parse(R"([{"speed_mbps": 10000, "media": "rj45"}])");
  spec["nodes"][1]["nics"] = Json::parse(R"([{"speed_mbps": 100, "media": "rj45"}])");
  Random random(1);
  Json document = any_design(spec, random);
  document["nodes"][0]["links"][0]["speed_mbps"] = 1000;  // the speed of the port
  document["nodes"][1]["links"][0]["speed_mbps"] = 100;
  EXPECT_TRUE(violations(document).empty());
  document["nodes"][0]["links"][0]["speed_mbps"] = 10000;
  EXPECT_EQ(violations(document), std::vector<std::string>{
                                      "/nodes/0/links/0/speed_mbps: 10000, but the NIC and the port give 1000"});
}

TEST(CheckTest, ComparesAStatedPortWithThoseOfTheSwitch) {
  Json spec = plain_spec(3, 1, 1, 3);
  spec["switches"][0]["ports"] = Json::parse(R"([{"count": 2, "speed_mbps": 1000, "media": "rj45"},
                                                 {"count": 1, "speed_mbps": 2500, "media": "rj45"}])");
  Random random(1);
  Json document = any_design(spec, random);
  for (Json& node : document["nodes"]) node["links"][0]["port_mbps"] = 1000;
  EXPECT_EQ(violations(document), std::vector<std::string>{
                                      "/switches/0: 3 links over rj45 at ports of 1000 Mb/s, but only 2 such ports"});
  document["nodes"][0]["links"][0]["port_mbps"] = 2500;
  EXPECT_TRUE(violations(document).empty());
  document["nodes"][1]["links"][0]["port_mbps"] = 10000;
  EXPECT_EQ(violations(document).front(),
            "/nodes/1/links/0/port_mbps: 10000, but s00 has no such port for rj45");
}

// A lookup of each pair by name, with all patterns evaluated again per pair, took 12 s for 4096 nodes; now it is 1 s.
TEST(CheckTest, TakesLessThanFiveSecondsForThousandsOfNodes) {
  Json spec = plain_spec(3000, 2, 3, 2000);
  spec["patterns"] = Json::parse(R"([{"kind": "torus", "dims": [50, 60], "reach": "lines"}, {"kind": "tree"}])");
  spec["goals"] = {{"balance", 1}};
  Random random(1);
  const Json document = any_design(spec, random);
  const Design design = read_design(document);
  const std::clock_t start = std::clock();  // of the processor
  check_design(design, std::nullopt);
  EXPECT_LT(std::clock() - start, 5 * CLOCKS_PER_SEC);
}

}  // namespace
}  // namespace fnn::testing
