// SPDX-License-Identifier: GPL-3.0-or-later
// Topologies that the spec determines. Messages for bad specs and designs are tested by tests/errors.
#include "topology/topology_design.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "alternatives/alternatives_document.h"
#include "program/flat_alternative.h"
#include "support.h"
#include "topology/topology_check.h"
#include "topology/topology_evaluation.h"

namespace fnn::testing {
namespace {

using std::size_t;

Json spec_of(const std::string& topology, int nodes, int nics, const std::vector<int>& ports = {}) {
  Json spec = plain_spec(nodes, nics, 1, 2);
  spec["topology"] = topology;
  spec["switches"] = Json::array();
  for (const int count : ports) {
    spec["switches"].push_back({{"name", "s" + std::to_string(spec["switches"].size())}, {"ports", count}});
  }
  if (topology == "star") {
    for (int i = 1; i < nodes; ++i) spec["nodes"][static_cast<size_t>(i)]["nics"] = 1;
  }
  return spec;
}

Json with_mode(Json spec, const std::string& mode) {
  spec["mode"] = mode;
  return spec;
}

Json design_of(const Json& spec) { return topology_design(read_spec(spec), 1); }

std::vector<std::string> violations(const Json& document) {
  std::vector<std::string> lines;
  for (const Problem& problem : check_topology_design(read_design(document))) lines.push_back(problem.line());
  return lines;
}

Json evaluation_of(const Json& spec) {
  return topology_evaluation(read_design(design_of(spec)), {1, 50, 1});
}

/// The hops of all pairs, in ascending order.
std::vector<double> hops_of(const Json& spec, const char* key = "nodes_between") {
  std::vector<double> hops;
  const Json evaluation = evaluation_of(spec);
  for (const Json& pair : evaluation["hops"]) hops.push_back(pair[key]["value"]);
  std::sort(hops.begin(), hops.end());
  return hops;
}

std::string worst_case_of(const Json& spec) {
  return evaluation_of(spec)["worst_case"]["permutation"]["throughput"]["exact"];
}

TEST(Topology, EveryDesignIsValid) {
  for (int nodes = 2; nodes <= 9; ++nodes) {
    std::vector<Json> specs = {spec_of("tree", nodes, 2, {6, 5, 4})};
    for (const char* mode : {"routed", "bridged"}) specs.push_back(with_mode(spec_of("star", nodes, 8), mode));
    for (const char* mode : {"routed", "stp", "bonded"}) {
      if (nodes > 2) specs.push_back(with_mode(spec_of("ring", nodes, 3), mode));
    }
    if (nodes > 2 && nodes < 6) specs.push_back(spec_of("mesh", nodes, 4));
    for (const Json& spec : specs) EXPECT_EQ(violations(design_of(spec)), std::vector<std::string>{}) << compact(spec);
  }
}

TEST(Topology, ARoutedCableIsASegmentAndABridgedRingIsOne) {
  const Json routed = design_of(spec_of("ring", 4, 2));
  ASSERT_EQ(routed["segments"].size(), 4U);
  EXPECT_EQ(routed["segments"][3],
            (Json{{"name", "cable3"}, {"members", {{{"node", "n003"}, {"nic", 1}}, {{"node", "n000"}, {"nic", 0}}}}}));
  EXPECT_EQ(routed["nodes"][1]["links"][0], (Json{{"nic", 0}, {"peer", {{"node", "n000"}, {"nic", 1}}}}));
  EXPECT_EQ(design_of(with_mode(spec_of("ring", 4, 2), "stp"))["segments"][0]["members"].size(), 8U);
  EXPECT_EQ(design_of(spec_of("tree", 6, 1, {5, 5}))["segments"].size(), 1U);
  EXPECT_EQ(design_of(spec_of("star", 4, 3))["segments"].size(), 3U);
  EXPECT_EQ(design_of(spec_of("mesh", 5, 4))["segments"].size(), 10U);
}

TEST(Topology, HopsAreThoseOfTheArticles) {
  using Hops = std::vector<double>;
  EXPECT_EQ(hops_of(spec_of("ring", 4, 2)), (Hops{0, 0, 0, 0, 1, 1}));
  EXPECT_EQ(hops_of(with_mode(spec_of("ring", 4, 2), "stp")), (Hops{0, 0, 0, 1, 1, 2}));
  EXPECT_EQ(hops_of(with_mode(spec_of("ring", 4, 2), "bonded")), (Hops{0, 0, 1, 1, 1, 1}));
  EXPECT_EQ(hops_of(spec_of("star", 4, 3)), (Hops{0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(hops_of(with_mode(spec_of("star", 4, 3), "bridged")), (Hops{0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(hops_of(spec_of("mesh", 3, 2)), (Hops{0, 0, 0}));
  EXPECT_EQ(hops_of(spec_of("tree", 4, 1, {4, 4}), "switches"), (Hops{1, 1, 2, 2, 2, 2}));
}

TEST(Topology, TheWorstCaseOfTwoSwitchesIsThatOfThePaper) {
  EXPECT_EQ(worst_case_of(spec_of("tree", 6, 1, {5, 5})), "1/3");
  EXPECT_EQ(worst_case_of(spec_of("tree", 30, 1, {16, 16})), "1/15");
  EXPECT_EQ(worst_case_of(spec_of("mesh", 4, 3)), "1");
  // n001 to n003 and n000 to n002 meet on the way.
  EXPECT_EQ(worst_case_of(with_mode(spec_of("ring", 4, 2), "stp")), "1/2");
}

TEST(Topology, ALogicalRingHasHalfTheLinkRateOfAnySize) {
  for (const auto& [nodes, ports] : {std::pair{6, 5}, {30, 16}, {60, 31}}) {
    Json spec = spec_of("tree", nodes, 1, {ports, ports});
    spec["patterns"] = {{{"kind", "ring"}}};
    EXPECT_EQ(evaluation_of(spec)["saturation"][1]["basic"], 0.5) << nodes;
  }
}

TEST(Topology, NodesAreSpreadInBlocksOverSwitchesThatAreJoined) {
  Json spec = spec_of("tree", 9, 1, {8, 5, 5});
  spec["trunks"] = {{{"a", "s0"}, {"b", "s1"}, {"count", 2}}, {{"a", "s1"}, {"b", "s2"}}};
  const Json design = design_of(spec);
  EXPECT_EQ(design["trunks"][1]["count"], 1);
  // Of five ports of s1, trunks take three.
  EXPECT_EQ(design["switches"][0]["nodes"].size(), 4U);
  EXPECT_EQ(design["switches"][1]["nodes"], Json::array({"n004", "n005"}));
  EXPECT_EQ(design["switches"][2]["nodes"].size(), 3U);
  EXPECT_EQ(design["quality"]["unused_ports"], 18 - 9 - 6);
}

TEST(Topology, ATrunkTakesTheFastestPorts) {
  Json spec = spec_of("tree", 8, 1, {5, 5});
  for (Json& device : spec["switches"]) {
    device["ports"] = {{{"count", 4}, {"speed_mbps", 1000}, {"media", "rj45"}},
                       {{"count", 1}, {"speed_mbps", 10000}, {"media", "sfp"}}};
  }
  const Json evaluation = evaluation_of(spec);
  EXPECT_EQ(evaluation["cables"], 9);
  EXPECT_EQ(evaluation["worst_case"]["permutation"]["throughput"]["exact"], "1") << "10 Gb/s for four flows of 1 Gb/s";
}

TEST(Topology, TheSecondCableOfATrunkHasTheSpeedOfItsPorts) {
  Json spec = spec_of("tree", 8, 1, {5, 5});
  for (Json& device : spec["switches"]) {
    device["ports"] = {{{"count", 6}, {"speed_mbps", 1000}, {"media", "rj45"}},
                       {{"count", 1}, {"speed_mbps", 10000}, {"media", "sfp"}}};
  }
  spec["trunks"] = {{{"a", "s0"}, {"b", "s1"}, {"count", 2}}};
  // d-mod-k sends every other destination over each cable: two flows share that of 1 Gb/s.
  EXPECT_EQ(worst_case_of(spec), "1/2");
}

TEST(Topology, BothEndsOfATrunkHaveOneMedia) {
  Json spec = spec_of("tree", 8, 1, {9, 9});
  spec["switches"][0]["ports"] = {{{"count", 8}, {"speed_mbps", 1000}, {"media", "rj45"}},
                                  {{"count", 1}, {"speed_mbps", 10000}, {"media", "sfp"}}};
  EXPECT_EQ(violations(design_of(spec)), std::vector<std::string>{});
  // The trunk takes rj45 ports, so the sfp port of s0 stays free.
  EXPECT_EQ(design_of(spec)["quality"]["unused_ports"], 18 - 8 - 2);
  EXPECT_EQ(evaluation_of(spec)["worst_case"]["permutation"]["throughput"]["exact"], "1/4");
}

TEST(Topology, TheOrderOfARingIsFree) {
  Json design = design_of(spec_of("ring", 5, 2));
  // 0-2-4-1-3-0 instead of 0-1-2-3-4-0: node i takes the place of node 2i.
  const auto place = [](const Json& name) { return "n00" + std::to_string(2 * (name.get<std::string>().back() - '0') % 5); };
  Json nodes = design["nodes"];
  for (const Json& node : design["nodes"]) {
    Json& moved = nodes[static_cast<size_t>(place(node["name"]).back() - '0')];
    moved["links"] = node["links"];
    for (Json& link : moved["links"]) link["peer"]["node"] = place(link["peer"]["node"]);
  }
  design["nodes"] = nodes;
  for (Json& segment : design["segments"]) {
    for (Json& member : segment["members"]) member["node"] = place(member["node"]);
  }
  EXPECT_EQ(violations(design), std::vector<std::string>{});
}

TEST(Topology, TwoRingsAreNotOne) {
  Json design = design_of(spec_of("ring", 6, 2));
  const auto join = [&](size_t a, size_t b) {
    design["nodes"][a]["links"][1]["peer"]["node"] = design["nodes"][b]["name"];
    design["nodes"][b]["links"][0]["peer"]["node"] = design["nodes"][a]["name"];
  };
  join(2, 0);
  join(5, 3);
  EXPECT_EQ(violations(design), std::vector<std::string>{"/nodes: the ring of n000 has 3 nodes, not all 6"});
}

/// Every single change of a value in a design is a violation.
TEST(Topology, EveryChangedCableIsAViolation) {
  for (const Json& spec : {spec_of("ring", 4, 2), spec_of("star", 4, 3), spec_of("mesh", 4, 3), spec_of("tree", 6, 1, {5, 5})}) {
    const Json good = design_of(spec);
    for (size_t i = 0; i < good["nodes"].size(); ++i) {
      for (size_t k = 0; k < good["nodes"][i]["links"].size(); ++k) {
        Json bad = good;
        bad["nodes"][i]["links"].erase(k);
        EXPECT_FALSE(violations(bad).empty()) << i << " " << k;
        for (const char* other : {"n000", "n001", "n002", "n003", "s0", "s1"}) {
          bad = good;
          Json& link = bad["nodes"][i]["links"][k];
          Json& target = link.contains("switch") ? link["switch"] : link["peer"]["node"];
          if (target == other) continue;
          target = other;
          EXPECT_FALSE(violations(bad).empty()) << i << " " << k << " " << other;
        }
      }
    }
    for (size_t i = 0; i < good["segments"].size(); ++i) {
      Json bad = good;
      bad["segments"][i]["members"][0] = {{"node", "n001"}, {"nic", 7}};
      EXPECT_FALSE(violations(bad).empty()) << i;
      if (good["segments"].size() == 1) continue;
      bad = good;
      bad["segments"].erase(i);
      EXPECT_FALSE(violations(bad).empty()) << i;
    }
    for (const auto& item : good["quality"].items()) {
      Json bad = good;
      bad["quality"][item.key()] = 77;
      EXPECT_EQ(violations(bad).size(), 1U) << item.key();
    }
  }
}

TEST(Topology, OneSwitchIsAFlatNeighborhoodNetwork) {
  const TemporaryDirectory scratch;
  write_file(scratch / "spec.json", pretty(spec_of("switch", 6, 2, {8})));
  const std::string design = scratch / "design.json";
  EXPECT_EQ(run_designer({"design", scratch / "spec.json", "-o", design}).answer()["stage"], "rails");
  EXPECT_EQ(read_json(design)["quality"]["links"], 6);
  EXPECT_EQ(run_designer({"check", design}).code, 0);
  EXPECT_EQ(run_designer({"routes", design, "-o", scratch / "routes.json"}).code, 0);
  const ProgramResult evaluated = run_designer(
      {"evaluate", design, "-o", scratch / "evaluation.json", "--patterns", "50", "--alternatives", "none"});
  EXPECT_EQ(evaluated.answer()["worst_case"]["basic"], 1.0) << evaluated.out;
}

TEST(Topology, TheProgramDesignsChecksAndEvaluates) {
  const TemporaryDirectory scratch;
  write_file(scratch / "spec.json", pretty(spec_of("ring", 4, 2)));
  const ProgramResult designed = run_designer({"design", scratch / "spec.json", "-o", scratch / "design.json"});
  EXPECT_EQ(designed.code, 0) << designed.err;
  EXPECT_EQ(designed.answer()["segments"], 4);
  EXPECT_EQ(read_json(scratch / "design.json"), design_of(spec_of("ring", 4, 2)));
  EXPECT_EQ(run_designer({"check", scratch / "design.json"}).code, 0);
  const ProgramResult evaluated = run_designer({"evaluate", scratch / "design.json", "-o", scratch / "network.json"});
  EXPECT_EQ(evaluated.code, 0) << evaluated.err;
  EXPECT_EQ(read_json(scratch / "network.json")["mode"], "routed");
}

TEST(Topology, OtherCommandsRefuseTheseDesigns) {
  const TemporaryDirectory scratch;
  write_file(scratch / "spec.json", pretty(spec_of("mesh", 3, 2)));
  const std::string design = scratch / "design.json";
  const std::string out = scratch / "out.json";
  ASSERT_EQ(run_designer({"design", scratch / "spec.json", "-o", design}).code, 0);
  const std::vector<std::vector<std::string>> commands = {
      {"routes", design, "-o", out}, {"export", design, "-o", out}, {"design", scratch / "spec.json", "--near", design, "-o", out},
      {"design", scratch / "spec.json", "--headroom", "2", "-o", out}, {"check", design, "--pairs", design}};
  for (const std::vector<std::string>& command : commands) {
    const ProgramResult ran = run_designer(command);
    EXPECT_EQ(ran.code, 2) << command[0];
    EXPECT_NE(ran.err.find("spec/topology: \"mesh\", but only"), std::string::npos) << ran.err;
    EXPECT_FALSE(std::filesystem::exists(out)) << command[0];
  }
}

/// A price list of NICs, cables, and switches of these ports with a price per port.
PriceList shop(const std::vector<int>& ports) {
  Json list = {{"format", "fnn-prices"}, {"version", 1}, {"name", "shop"}, {"date", "2026"}, {"currency", "EUR"}};
  list["nics"] = {{{"name", "nic"}, {"ports", 1}, {"speed_mbps", 1000}, {"price", 10}, {"source", "shop"}}};
  list["cables"] = {{{"speed_mbps", 1000}, {"price", 2}, {"source", "shop"}}};
  list["switches"] = Json::array();
  for (const int count : ports) {
    list["switches"].push_back({{"name", "wide"}, {"ports", count}, {"speed_mbps", 1000}, {"price", 5 * count}, {"source", "shop"}});
  }
  return read_price_list(list);
}

TEST(TopologyAlternatives, ARingCostsItsNicsAndCablesAlone) {
  const Design design = read_design(design_of(spec_of("ring", 4, 2)));
  const Json evaluation = topology_evaluation(design, {1, 50, 1});
  const MeasuredNetwork own = measured_topology(design, evaluation);
  const Json document = alternatives_document(design, own, {{"one-switch", "ring"}, shop({4})}, {1, 50, 1});
  const Json& rows = document["alternatives"];
  EXPECT_EQ(rows[0]["fabric_cost"]["price"]["total"], 8 * 10 + 4 * 2);
  EXPECT_EQ(rows[0]["fabric_cost"]["switches"], 0);
  EXPECT_EQ(rows[1]["fabric_cost"]["price"]["total"], 4 * (10 + 2) + 20);
  EXPECT_EQ(rows[2]["fabric_cost"], rows[0]["fabric_cost"]);
  EXPECT_EQ(document["cost"]["cables"], 4) << "the whole network is its fabric";
  EXPECT_EQ(document["cost"]["price"]["total"], rows[0]["fabric_cost"]["price"]["total"]);
  // Nodes forward in the ring, and none where a switch joins them.
  EXPECT_EQ(document["comparison"][0]["measure"], "nodes-between");
  EXPECT_EQ(document["comparison"][0]["loses_to"], (Json{"one-switch"}));
}

TEST(TopologyAlternatives, NodesWithoutSwitchesKeepTheSpeedOfTheirNics) {
  // The only switches for sale are slower than the NICs.
  Json spec = spec_of("ring", 4, 2);
  const Json nic = {{"speed_mbps", 10000}, {"media", "sfp"}};
  for (Json& node : spec["nodes"]) node["nics"] = {nic, nic};
  const Catalog catalog(read_spec(spec), shop({4}));
  EXPECT_EQ(catalog.nth_nic_mbps(0), 10000);
}

TEST(TopologyAlternatives, TheFlatNeighborhoodNetworkHasTheFewestSwitchesThatJoinAllPairs) {
  // Switches of 6 ports are too narrow. Three of 8 ports have four nodes on each two.
  const Design design = read_design(design_of(spec_of("ring", 12, 2)));
  const FlatAlternative flat = flat_alternative(design, shop({6, 8, 16}), 1000, {1, 50, 1});
  ASSERT_TRUE(flat.network) << flat.reason;
  EXPECT_EQ(flat.network->parts.all_switches(), 3);
  EXPECT_EQ(flat.network->parts.switches[0].first.ports, 8);
  EXPECT_EQ(flat.network->measures["switches_traversed"]["mean"]["exact"], "1");
  EXPECT_EQ(flat_alternative(design, shop({6, 8, 16}), 1000, {1, 50, 2}).network->measures, flat.network->measures);
}

TEST(TopologyAlternatives, TheReasonIsGivenWhereThereIsNoFlatNeighborhoodNetwork) {
  const auto reason = [](const Json& spec, const std::vector<int>& ports) {
    return flat_alternative(read_design(design_of(spec)), shop(ports), 1000, {1, 50, 1}).reason;
  };
  EXPECT_EQ(reason(spec_of("star", 4, 3), {3}), "every node would need two NICs of 1000 Mb/s");
  EXPECT_EQ(reason(spec_of("ring", 12, 2), {}), "no switch of 1000 Mb/s is known");
  EXPECT_EQ(reason(spec_of("ring", 12, 2), {16}), "one switch holds all nodes");
  EXPECT_EQ(reason(spec_of("ring", 12, 2), {6}), "switches of 6 ports are too narrow for 12 nodes with 2 NICs");
}

}  // namespace
}  // namespace fnn::testing
