// SPDX-License-Identifier: GPL-3.0-or-later
#include "program/designing.h"

#include <gtest/gtest.h>

#include "design/check.h"
#include "design/design_document.h"
#include "program/search_run.h"
#include "support.h"

namespace fnn::testing {
namespace {

struct Result {
  Designed designed;
  Json document;
};

Result run(const Json& spec_document, const std::optional<Design>& old = std::nullopt, std::int64_t seed = 1,
           std::optional<std::int64_t> generations = 60, std::size_t threads = 1) {
  const Spec spec = read_spec(spec_document);
  DesignRequest request;
  request.seed = seed;
  request.time_limit = 3600;
  request.generations = generations;
  request.threads = threads;
  Designed designed = design(spec, old, request, [](std::int64_t, const Individual&) {});
  Json document =
      design_document(spec, designed.cabling, seed, compute_bounds(spec), designed.moves);
  return {std::move(designed), std::move(document)};
}

Design reread(const Json& document) { return read_design(parse_json(pretty(document), "design.json")); }

std::string violations(const Json& document) {
  std::string lines;
  for (const Problem& problem : check_design(reread(document), std::nullopt)) lines += problem.line() + "\n";
  return lines;
}

TEST(Designing, EveryDesignOfARandomSpecPassesTheCheck) {
  const int specs = cases(80, 250);
  int found = 0;
  int not_found = 0;
  for (int seed = 0; seed < specs; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const Json document = run(random_spec(random), std::nullopt, 1, 2).document;
    const bool good = document["verdict"] == "found";
    good ? ++found : ++not_found;
    if (good) {
      EXPECT_EQ(violations(document), "") << "seed " << seed;
      continue;
    }
    // A design with verdict "not-found" violates only the coverage, and lists every uncovered pair.
    const auto problems = check_design(reread(document), std::nullopt);
    EXPECT_EQ(problems.size(), document["uncovered"].size()) << "seed " << seed << "\n" << violations(document);
  }
  EXPECT_GT(found, specs / 10);
  EXPECT_GT(not_found, specs / 10);
}

TEST(Designing, TheSameSeedGivesTheSameBytesWithOneThreadAndWithTwo) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Random random(seed);
    const Json spec = random_spec(random);
    const std::string one = pretty(run(spec, std::nullopt, 5, 3, 1).document);
    EXPECT_EQ(pretty(run(spec, std::nullopt, 5, 3, 1).document), one) << "seed " << seed;
    EXPECT_EQ(pretty(run(spec, std::nullopt, 5, 3, 2).document), one) << "seed " << seed;
  }
}

TEST(Designing, SolvesNodesWithDifferentNicsOnSwitchesOfDifferentWidths) {
  // Two wide switches hold seven of ten nodes each. The first four nodes are on both and have a third NIC;
  // the others have two NICs.
  Json spec = plain_spec(10, 2, 4, 6);
  for (std::size_t i = 0; i < 4; ++i) spec["nodes"][i]["nics"] = 3;
  spec["switches"][0]["ports"] = 7;
  spec["switches"][1]["ports"] = 7;
  const Result result = run(spec);
  EXPECT_EQ(result.document["verdict"], "found");
  EXPECT_EQ(violations(result.document), "");
}

TEST(Designing, NodesWithOneNicShareTheOnlySwitchThatHoldsThem) {
  Json spec = plain_spec(5, 1, 3, 3);
  spec["switches"][1]["ports"] = 5;
  const Result result = run(spec);
  EXPECT_EQ(result.designed.stage, "rails");
  EXPECT_EQ(result.document["switches"][1]["nodes"].size(), 5U);
}

TEST(Designing, UnusedNicsStayUnpluggedWhenThePriceIsAGoal) {
  const Report silent = [](std::int64_t, const Individual&) {};
  for (const int price : {0, 1}) {
    Json document = plain_spec(6, 3, 5, 4);
    document["goals"] = {{"price", price}};
    const Spec spec = read_spec(document);
    SearchRun search(spec, DesignRequest{}, silent);
    const Wiring filled = search.filled(Wiring(search.limits()));
    int plugged = 0;
    for (int nic = 0; nic < 18; ++nic) plugged += filled.group(nic) != kDummy ? 1 : 0;
    EXPECT_EQ(plugged, price == 0 ? 18 : 0);
  }
}

TEST(Designing, NicsGoToPortsOfTheirMedia) {
  // Three rj45 switches of 4 ports as in the paper, and an sfp switch for the two nodes with an sfp NIC.
  Json spec = plain_spec(6, 2, 3, 4);
  spec["switches"].push_back({{"name", "fast"}, {"ports", {{{"count", 4}, {"speed_mbps", 10000}, {"media", "sfp"}}}}});
  const Json nics = Json::parse(R"([{"speed_mbps": 10000, "media": "sfp"}, {"speed_mbps": 1000, "media": "rj45"},
                                    {"speed_mbps": 1000, "media": "rj45"}])");
  spec["nodes"][0]["nics"] = nics;
  spec["nodes"][3]["nics"] = nics;
  const Result result = run(spec);
  EXPECT_EQ(result.document["verdict"], "found");
  EXPECT_EQ(violations(result.document), "");
  EXPECT_EQ(result.document["nodes"][0]["links"][0], Json::parse(R"({"nic": 0, "switch": "fast"})"));
  EXPECT_EQ(result.document["switches"][3]["nodes"], Json::parse(R"(["n000", "n003"])"));
}

TEST(Designing, NearKeepsEveryCableWhenTheOldDesignMeetsTheDemand) {
  const Json spec = data("klat2.json");
  const Json old = run(spec).document;
  const Result again = run(spec, reread(old), 9);
  EXPECT_EQ(again.designed.stage, "kept");
  EXPECT_EQ(again.document["nodes"], old["nodes"]);
  EXPECT_EQ(again.document["quality"]["kept_links"], 256);  // 64 * 4
}

TEST(Designing, NearKeepsTheRemainingCablesWhenANodeIsRemoved) {
  Json spec = data("klat2.json");
  const Json old = run(spec).document;
  spec["nodes"].erase(10);
  const Result again = run(spec, reread(old), 9);
  EXPECT_EQ(again.designed.stage, "kept");
  EXPECT_EQ(again.document["quality"]["kept_links"], 252);  // 63 * 4
  EXPECT_EQ(violations(again.document), "");
}

TEST(Designing, NearAddsANodeToFreePortsWithoutMovingACable) {
  // Six nodes as in the paper on three switches with 6 ports: 18 ports for 12 links. A seventh node can use
  // the same switches as any other node.
  Json spec = plain_spec(6, 2, 3, 4);
  const Json old = run(spec).document;
  spec = plain_spec(7, 2, 3, 6);
  const Result grown = run(spec, reread(old));
  EXPECT_EQ(grown.designed.stage, "grown");
  EXPECT_EQ(grown.document["verdict"], "found");
  EXPECT_EQ(grown.document["quality"]["kept_links"], 12);
  EXPECT_EQ(grown.document["quality"]["links"], 14);
  EXPECT_EQ(violations(grown.document), "");
}

TEST(Designing, NearAddsTwoNodesToKlat2WithoutMovingACable) {
  Json spec = data("klat2.json");
  const Json old = run(spec).document;
  for (const char* name : {"k70", "k71"}) spec["nodes"].push_back({{"name", name}, {"nics", 4}});
  const Result grown = run(spec, reread(old));
  EXPECT_EQ(grown.designed.stage, "grown");
  EXPECT_EQ(grown.document["quality"]["kept_links"], 256);
  EXPECT_EQ(grown.document["quality"]["links"], 264);  // 66 * 4
  EXPECT_EQ(violations(grown.document), "");
}

TEST(Designing, NearMovesFewCablesWhenSomeMustMove) {
  // 24 nodes on nine switches of 11 ports lose one switch. Of 96 cables at least 85 remain, but these and
  // the three free ports cannot cover every pair.
  const Json old = run(plain_spec(24, 4, 9, 11)).document;
  const Json spec = plain_spec(24, 4, 8, 11);
  const Result rewired = run(spec, reread(old));
  EXPECT_EQ(rewired.designed.stage, "genetic");
  EXPECT_EQ(rewired.document["verdict"], "found");
  EXPECT_EQ(violations(rewired.document), "");
  EXPECT_GE(rewired.document["quality"]["kept_links"], 68);
  // A fresh design does not use the old one.
  const Design before = reread(old);
  const Spec after = read_spec(spec);
  const Limits limits(after);
  const Design fresh = reread(run(spec).document);
  EXPECT_LT(count_kept(map_standing_cables(fresh, after, limits).cabling,
                       map_standing_cables(before, after, limits).cabling), 60);
}

TEST(Designing, NearWithoutCommonNodesGivesAFreshDesign) {
  const Json old = run(data("klat2.json")).document;
  const Result fresh = run(data("eight.json"), reread(old));
  EXPECT_EQ(fresh.document["verdict"], "found");
  EXPECT_EQ(fresh.document["quality"]["kept_links"], 0);
  EXPECT_EQ(violations(fresh.document), "");
}

TEST(Designing, NearDoesNotDependOnTheThreads) {
  const Json old = run(plain_spec(24, 4, 9, 11)).document;
  const Json spec = plain_spec(24, 4, 8, 11);
  const std::string one = pretty(run(spec, reread(old), 1, 3, 1).document);
  EXPECT_EQ(pretty(run(spec, reread(old), 1, 3, 2).document), one);
}

}  // namespace
}  // namespace fnn::testing
