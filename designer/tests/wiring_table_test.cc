// SPDX-License-Identifier: GPL-3.0-or-later
#include "export/wiring_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "design/design_reading.h"
#include "export/wiring_facts.h"
#include "support.h"
#include "topology/topology_design.h"

namespace fnn::testing {
namespace {

namespace fs = std::filesystem;

std::string table_of_file(const fs::path& path) {
  const Design design = read_design(read_json(path));
  return wiring_table(wiring_facts(design.document, design.spec));
}

std::string table_of_inventory(const std::string& name) {
  return table_of_file(fs::path(FNN_INVENTORY) / name / "design.json");
}

/// The design of a tree, ring or star.
Json facts_of_topology(const Json& document) {
  const Spec spec = read_spec(document);
  return wiring_facts(topology_design(spec, 1), spec);
}

/// A design with NIC i of each node on switch i.
Json all_on_all(const Spec& spec) {
  Json links = Json::array();
  Json members = Json::array();
  for (const Switch& device : spec.switches) links.push_back({{"nic", links.size()}, {"switch", device.name}});
  for (const Node& node : spec.nodes) members.push_back(node.name);
  Json design = {{"nodes", Json::array()}, {"switches", Json::array()}, {"uncovered", Json::array()}};
  for (const Node& node : spec.nodes) design["nodes"].push_back({{"name", node.name}, {"links", links}});
  for (const Switch& device : spec.switches) design["switches"].push_back({{"name", device.name}, {"nodes", members}});
  return design;
}

void expect_plain_text(const std::string& text, const std::string& what) {
  EXPECT_TRUE(std::none_of(text.begin(), text.end(), [](char c) { return c != '\n' && (c < ' ' || c > '~'); })) << what;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << what << ": " << line;
}

TEST(WiringTable, HasTheLoadOfEachSwitchAndTheSwitchOfEachNic) {
  EXPECT_EQ(table_of_inventory("lab"),
            "six: 6 nodes with 2 NICs, 3 switches, 1 uplink switch, 12 cables to nodes\n"
            "\n"
            "red     4 of 5 ports, 1 for uplink  k00-k03\n"
            "blue    4 of 5 ports, 1 for uplink  k00-k01 k04-k05\n"
            "green   4 of 5 ports, 1 for uplink  k02-k05\n"
            "uplink  3 of 5 ports                red blue green\n"
            "\n"
            "node  NIC 0  NIC 1\n"
            "k00   red    blue\n"
            "k01   red    blue\n"
            "k02   red    green\n"
            "k03   red    green\n"
            "k04   blue   green\n"
            "k05   blue   green\n");
}

TEST(WiringTable, NamesTheNicAtTheOtherEndOfACableBetweenNodes) {
  EXPECT_EQ(table_of_inventory("star"),
            "star (star, routed): 4 nodes with 1 to 3 NICs, 3 cables between nodes\n"
            "\n"
            "node  NIC 0  NIC 1  NIC 2\n"
            "k0    k1:0   k2:0   k3:0\n"
            "k1    k0:0\n"
            "k2    k0:1\n"
            "k3    k0:2\n");
}

TEST(WiringTable, TellsTrunksFromCablesToNodes) {
  const std::string text = table_of_inventory("two-switches-30");
  EXPECT_EQ(text,
            "two-switches-30 (tree): 30 nodes with 1 NIC, 2 switches, 30 cables to nodes, 1 between switches\n"
            "\n"
            "red   15 of 16 ports, 1 for trunks  k00-k14\n"
            "blue  15 of 16 ports, 1 for trunks  k15-k29\n"
            "trunks: red to blue\n");
}

TEST(WiringTable, TellsReservedPortsFromThatOfTheUplink) {
  const std::string text = table_of_inventory("klat2-lean");
  EXPECT_NE(text.find("\nred     28 of 32 ports, 1 for uplink, 3 reserved  k00-k27\n"), std::string::npos) << text;
  EXPECT_NE(text.find(" brown\n" + std::string(50, ' ') + "spare0-spare1\n"), std::string::npos) << text;
}

TEST(WiringTable, NamesColorsEmptySwitchesAndNicsThatDiffer) {
  Json spec = plain_spec(3, 1, 3, 4);
  spec["topology"] = "tree";
  spec["nodes"][0]["nics"] = {"enp2s0", "\x1b[1m"};
  spec["nodes"][1]["nics"] = {"enp3s0"};
  spec["nodes"][2]["nics"] = {"enp3s0"};
  spec["switches"][1]["color"] = "teal";
  spec["switches"][2]["reserved"] = 3;
  spec["trunks"] = {{{"a", "s00"}, {"b", "s01"}, {"count", 2}}, {{"a", "s00"}, {"b", "s02"}}};
  EXPECT_EQ(wiring_table(facts_of_topology(spec)),
            "test (tree): 3 nodes with 1 to 2 NICs, 3 switches, 3 cables to nodes, 3 between switches\n"
            "\n"
            "s00         1 of 4 ports, 3 for trunks              n000\n"
            "s01 (teal)  2 of 4 ports, 2 for trunks              n001-n002\n"
            "s02         0 of 4 ports, 1 for trunks, 3 reserved  no node\n"
            "trunks: s00 to s01 (2 cables), s00 to s02\n"
            "\n"
            "node  NIC 0         NIC 1\n"
            "n000  s00 (enp2s0)  - (?[1m)\n"
            "n001  s01 (enp3s0)\n"
            "n002  s01 (enp3s0)\n");
}

TEST(WiringTable, ListsTheFirstUncoveredPairs) {
  Json facts = wiring_facts(read_json(fs::path(FNN_INVENTORY) / "lab/design.json"),
                            read_spec_file((fs::path(FNN_INVENTORY) / "lab/spec.json").string()));
  const Json pair = Json::array({"k00", "k01"});
  facts["uncovered"] = Json::array({pair});
  EXPECT_NE(wiring_table(facts).find("\n1 pair of nodes shares no switch: k00 and k01\n"), std::string::npos);
  facts["redundancy"] = 2;
  facts["uncovered"] = Json(4, pair);
  const std::string line =
      "\n4 pairs of nodes share fewer than 2 switches: k00 and k01, k00 and k01, k00 and k01, ...\n";
  EXPECT_NE(wiring_table(facts).find(line), std::string::npos) << wiring_table(facts);
}

TEST(WiringTable, ARingOfManyNodesHasATableAsNoSwitchNamesThem) {
  Json spec = plain_spec(30, 2, 1, 1);
  spec["topology"] = "ring";
  spec["switches"] = Json::array();
  EXPECT_NE(wiring_table(facts_of_topology(spec)).find("\nn029  n028:1  n000:0\n"), std::string::npos);
}

TEST(WiringTable, OfEachCommittedDesignIsPlainTextOfAtMostAHundredColumns) {
  int designs = 0;
  for (const auto& entry : fs::recursive_directory_iterator(FNN_INVENTORY)) {
    if (!entry.path().filename().string().ends_with("design.json")) continue;
    expect_plain_text(table_of_file(entry.path()), entry.path());
    ++designs;
  }
  EXPECT_GT(designs, 15);
}

TEST(WiringTable, OfLongNamesAndManyNicsIsAtMostAHundredColumnsWide) {
  Json spec = plain_spec(24, 8, 8, 40);
  spec["cluster"] = std::string(32, 'c');
  int number = 1000;
  for (Json& node : spec["nodes"]) node["name"] = std::string(11, 'x') + std::to_string(number += 2);
  for (Json& device : spec["switches"]) {
    device["name"] = std::string(11, 's') + std::to_string(++number);
    device["color"] = std::string(99, 'k');
  }
  const Spec read = read_spec(spec);
  expect_plain_text(wiring_table(wiring_facts(all_on_all(read), read)), "long names");
}

}  // namespace
}  // namespace fnn::testing
