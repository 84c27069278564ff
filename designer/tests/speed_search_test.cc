// SPDX-License-Identifier: GPL-3.0-or-later
#include "program/speed_search.h"

#include <gtest/gtest.h>

#include <array>

#include "export/speed_facts.h"
#include "support.h"

namespace fnn::testing {
namespace {

Json nics_at(const std::vector<int>& speeds) {
  Json list = Json::array();
  for (const int mbps : speeds) list.push_back({{"speed_mbps", mbps}, {"media", "rj45"}});
  return list;
}

Json ports_at(int count, int mbps) { return {{"count", count}, {"speed_mbps", mbps}, {"media", "rj45"}}; }

/// Eleven nodes with a NIC of 1 Gb/s and two of 2.5, three switches of 8 x 2.5 and two of 5 x 1.
Json eleven() {
  Json spec = plain_spec(11, 3, 5, 8);
  for (Json& node : spec["nodes"]) {
    node["nics"] = nics_at({1000, 2500, 2500});
    for (std::size_t i = 0; i < 3; ++i) node["nics"][i]["name"] = std::array{"eno1", "enp1s0", "enp2s0"}[i];
  }
  for (std::size_t j = 0; j < 5; ++j) {
    spec["switches"][j]["ports"] = Json::array({j < 3 ? ports_at(8, 2500) : ports_at(5, 1000)});
  }
  return spec;
}

Json designed_for(const Json& spec, const std::vector<std::string>& options = {}) {
  const TemporaryDirectory scratch;
  write_file(scratch / "spec.json", pretty(spec));
  std::vector<std::string> arguments{"design", scratch / "spec.json", "-o", scratch / "design.json"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  const ProgramResult result = run_designer(arguments);
  EXPECT_EQ(result.code, 0) << result.out << result.err;
  EXPECT_EQ(run_designer({"check", scratch / "design.json"}).code, 0);
  return read_json(scratch / "design.json");
}

std::string speed_lines_of(const Json& design) { return speed_lines(speed_facts(design, read_spec(design["spec"]))); }

// CP-SAT proves that no wiring is better in any of the three measures (bench/cpsat_speeds.py).
TEST(SpeedSearch, ElevenNodesWithTwoFastNicsGetTheBestWiring) {
  const Json design = designed_for(eleven());
  EXPECT_EQ(design["quality"]["worst_gbps"], 2.5);
  EXPECT_EQ(design["quality"]["worst_gbps_at_most"], 2.5);
  EXPECT_EQ(design["quality"]["below_nic"], 0);
  EXPECT_EQ(design["quality"]["mean_gbps"], 3.754545);
  EXPECT_EQ(speed_lines_of(design),
            "speeds: worst pair 2.5 Gb/s (no wiring gives more), mean 3.755; all 33 cables at NIC speed\n"
            "ports: 2 of 2.5 Gb/s carry eno1 at 1 Gb/s: more pairs gain there\n");
}

TEST(SpeedSearch, ASlowNicIsNamedWithWhatWouldHelp) {
  Json spec = eleven();
  spec["switches"][2]["ports"] = Json::array({ports_at(5, 2500)});
  spec["switches"][3]["ports"] = Json::array({ports_at(8, 1000)});
  const Json design = designed_for(spec);
  EXPECT_EQ(speed_lines_of(design),
            "speeds: worst pair 1 Gb/s, mean 3.618; 1 of 33 cables runs below its NIC (enp2s0 of 2.5 Gb/s has no\n"
            "    port of its own speed left)\n"
            "better: one more switch of 8 ports of 2.5 Gb/s: worst pair 2.5 Gb/s, mean 3.973; none below\n"
            "better: 8 ports of 2.5 Gb/s instead of 1 Gb/s in s03: worst pair 2.5 Gb/s, mean 3.755; none below\n");
}

TEST(SpeedSearch, FastNicsGetTheFastPortsOfASwitch) {
  Json spec = plain_spec(4, 1, 1, 4);
  for (std::size_t i = 0; i < 4; ++i) spec["nodes"][i]["nics"] = nics_at({i % 2 == 0 ? 1000 : 10000});
  spec["switches"][0]["ports"] = Json::array({ports_at(2, 10000), ports_at(2, 1000)});
  const Json design = designed_for(spec);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(design["nodes"][i]["links"][0]["port_mbps"], i % 2 == 0 ? 1000 : 10000);
  }
  EXPECT_EQ(design["quality"]["mean_gbps"], 2.5);
  EXPECT_EQ(design["quality"]["below_nic"], 0);
}

TEST(SpeedSearch, EqualSpeedsHaveNoMeasuresOfSpeed) {
  const Json design = designed_for(plain_spec(8, 3, 5, 5));
  for (const char* measure : {"mean_gbps", "worst_gbps", "below_nic"}) {
    EXPECT_FALSE(design["quality"].contains(measure)) << measure;
  }
  EXPECT_EQ(design.dump().find("port_mbps"), std::string::npos);
}

TEST(SpeedSearch, GoalsOfTheSpecReplaceThoseOfSpeed) {
  Json spec = eleven();
  spec["goals"] = {{"exposure", 1}};
  const Json design = designed_for(spec, {"--steps", "2"});
  EXPECT_FALSE(design["quality"].contains("worst_gbps_at_most"));
  EXPECT_FALSE(design.contains("upgrades"));
}

TEST(SpeedSearch, GrowthKeepsEveryCableAndItsPort) {
  Json spec = plain_spec(4, 1, 1, 6);
  for (std::size_t i = 0; i < 4; ++i) spec["nodes"][i]["nics"] = nics_at({i < 2 ? 1000 : 10000});
  spec["switches"][0]["ports"] = Json::array({ports_at(3, 10000), ports_at(3, 1000)});
  const Json former = designed_for(spec);
  const TemporaryDirectory scratch;
  write_file(scratch / "former.json", pretty(former));
  spec["nodes"].push_back({{"name", "n004"}, {"nics", nics_at({10000})}});
  const Json grown = designed_for(spec, {"--grow", scratch / "former.json"});
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(grown["nodes"][i], former["nodes"][i]);
  EXPECT_EQ(grown["nodes"][4]["links"][0]["port_mbps"], 10000);
}

TEST(BandwidthProof, UsesNodesPortsAndCoverage) {
  const Spec spec = read_spec(eleven());
  EXPECT_FALSE(is_bandwidth_impossible(spec, 5));  // of 0.5 Gb/s
  EXPECT_TRUE(is_bandwidth_impossible(spec, 6));
  Json slow = plain_spec(4, 2, 2, 4);
  for (Json& node : slow["nodes"]) node["nics"] = nics_at({2500, 2500});
  for (Json& device : slow["switches"]) device["ports"] = Json::array({ports_at(4, 2500)});
  slow["nodes"][3]["nics"] = nics_at({1000});
  EXPECT_FALSE(is_bandwidth_impossible(read_spec(slow), 2));
  EXPECT_TRUE(is_bandwidth_impossible(read_spec(slow), 3));
  Json narrow = plain_spec(6, 2, 2, 4);  // only 4 of 6 nodes fit the fast switch
  for (Json& node : narrow["nodes"]) node["nics"] = nics_at({10000, 1000});
  narrow["switches"][0]["ports"] = Json::array({ports_at(4, 10000)});
  narrow["switches"][1]["ports"] = Json::array({ports_at(6, 1000)});
  EXPECT_FALSE(is_bandwidth_impossible(read_spec(narrow), 1));
  EXPECT_TRUE(is_bandwidth_impossible(read_spec(narrow), 3));
}

}  // namespace
}  // namespace fnn::testing
