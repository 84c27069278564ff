// SPDX-License-Identifier: GPL-3.0-or-later
// The parts and costs of the alternatives, and the measures in which a design is better than they are.
#include <gtest/gtest.h>

#include "alternatives/fabric_cost.h"
#include "alternatives/alternatives_document.h"
#include "alternatives/comparison.h"
#include "evaluate/evaluation_document.h"
#include "fabrics.h"
#include "networks.h"
#include "support.h"

namespace fnn::testing {
namespace {

PriceList klat2_prices() {
  return read_price_list(read_json(std::filesystem::path(FNN_INVENTORY) / "../prices/klat2-2000.json"));
}

/// All alternatives of a committed design, with few random patterns.
Json alternatives_of(const std::string& inventory, const std::optional<PriceList>& list, std::size_t threads = 1) {
  const Design design = committed(inventory);
  const Sampling sampling{1, 100, threads};
  const MeasuredNetwork own = measured_flat_network(design, evaluation_document(design, sampling), sampling.seed);
  return alternatives_document(design, own, {alternative_names(), list}, sampling);
}

const Json& row(const Json& document, const std::string& name) {
  for (const Json& each : document["alternatives"]) {
    if (row_name(each) == name) return each;
  }
  throw std::out_of_range(name);
}

const Json& measure(const Json& document, const std::string& name) {
  for (const Json& each : document["comparison"]) {
    if (each["measure"] == name) return each;
  }
  throw std::out_of_range(name);
}

bool has(const Json& names, const std::string& name) { return std::find(names.begin(), names.end(), name) != names.end(); }

TEST(Alternatives, TreesHaveThePartsOfThePaper) {
  // Eight nodes, four-port switches: four leaves below one root or two spines, with 8 + 4 or 8 + 8 cables.
  const AlternativeBuilder eight(8, 3, 6, 4);
  EXPECT_EQ(eight.build("tree").parts.all_switches(), 5);
  EXPECT_EQ(eight.build("tree").parts.cables, 12);
  EXPECT_EQ(eight.build("fat-tree").parts.all_switches(), 6);
  EXPECT_EQ(eight.build("fat-tree").parts.cables, 16);
  EXPECT_EQ(eight.build("bonded-tree").parts.all_switches(), 15);
  EXPECT_EQ(eight.build("planes").parts.all_nics(), 24);
  // 64 nodes on 32-port switches: four leaves of 16, and two spines with eight cables from each leaf.
  EXPECT_EQ(AlternativeBuilder(64, 4, 9, 32).build("fat-tree").parts.all_switches(), 6);
  EXPECT_EQ(AlternativeBuilder(64, 4, 9, 32).build("fat-tree").parts.cables, 128);
  // 128 nodes on eight-port switches: 32 leaves, 32 in the middle, 16 on top.
  EXPECT_EQ(AlternativeBuilder(128, 1, 1, 8).build("fat-tree").parts.all_switches(), 80);
}

TEST(Alternatives, NoSwitchHasMoreCablesThanPorts) {
  for (int nodes = 5; nodes <= 150; nodes += cases(29, 7)) {
    for (const int ports : {3, 4, 5, 8, 12, 24, 31}) {
      const AlternativeBuilder builder(nodes, 2, 2, ports);
      for (const char* name : {"two-switches", "tree", "bonded-tree", "clos", "fat-tree", "planes"}) {
        const Alternative found = builder.build(name);
        EXPECT_NE(found.network.has_value(), !found.reason.empty()) << name << nodes << " on " << ports;
        if (!found.network) continue;
        std::vector<int> used(found.network->vertices(), 0);
        for (const Network::Cable& cable : found.network->cables()) ++used[cable.a], ++used[cable.b];
        for (std::size_t i = 0; i < used.size(); ++i) {
          EXPECT_LE(used[i], found.network->is_node(i) ? 1 : ports) << name << " of " << nodes << " on " << ports;
        }
      }
    }
  }
}

TEST(Alternatives, UnavailableAlternativesStateAReason) {
  const AlternativeBuilder eight(8, 3, 6, 4);
  EXPECT_EQ(eight.build("one-switch").reason, "no switch of 8 ports at 1000 Mb/s is known; the widest has 4");
  EXPECT_EQ(eight.build("faster-switch").reason,
            "no switch of 8 ports at 10000 Mb/s is known; no NIC of 10000 Mb/s is known");
  EXPECT_EQ(eight.build("two-switches").reason, "no switch of 5 ports at 1000 Mb/s is known; the widest has 4");
  EXPECT_EQ(eight.build("uplink-tree").reason, "the design has no uplink switch");
  EXPECT_EQ(eight.build("star").reason, "a node would need 7 NICs, and can have 3");
  EXPECT_EQ(eight.build("ring").reason, "");
  EXPECT_EQ(AlternativeBuilder(64, 2, 2, 4).build("fat-tree").reason,
            "switches of 4 ports are too narrow for 64 nodes");
  EXPECT_EQ(AlternativeBuilder(8, 2, 2, 8).build("tree").reason, "one switch holds all nodes");
  EXPECT_EQ(AlternativeBuilder(8, 1, 2, 8).build("bonded-tree").reason,
            "not every node has two NICs of 1000 Mb/s");
  EXPECT_EQ(AlternativeBuilder(8, 1, 2, 8).build("ring").reason, "a node would need 2 NICs, and can have 1");
}

TEST(Alternatives, TwoSwitchesGiveWayToAWiderSwitchOfAPriceList) {
  // The reason must not be that of the narrow switch, which comes first.
  PriceList list{"ours", "2026", "EUR", {{"big", 24, 1000, 90, {}}}, {}, {}, {}};
  EXPECT_EQ(AlternativeBuilder(16, 2, 4, 8, list).build("two-switches").reason, "one switch holds all nodes");
}

TEST(Alternatives, APriceListMakesMoreAlternativesAvailable) {
  PriceList list{"ours", "2026", "EUR", {{"big", 8, 1000, 90, {}}, {"fast", 24, 10000, 400, 40.0}}, {{"quad", 4, 10000, 50}}, {}, {}};
  const AlternativeBuilder eight(8, 3, 6, 4, list);
  EXPECT_EQ(eight.build("one-switch").reason, "");
  EXPECT_EQ(eight.build("faster-switch").reason, "");
  // 8 x 10 Gb/s of links, 40 Gb/s inside the switch: eight flows get half of their links' bandwidth.
  EXPECT_EQ(measured(eight.build("faster-switch"))["ebb"]["basic"]["sym"]["mean"], 5.0);
  // The three NICs of a node could have four ports each.
  EXPECT_EQ(eight.build("star").reason, "");
}

TEST(Alternatives, TheCheapestSwitchModelIsChosen) {
  // Four leaves at 50 and a root, or two leaves at 60 and a root.
  PriceList list{"ours", "2026", "EUR", {{"small", 4, 1000, 50, {}}, {"wide", 6, 1000, 60, {}}}, {}, {}, {}};
  EXPECT_EQ(AlternativeBuilder(8, 3, 6, 4, list).build("tree").parts.switches[0].first.ports, 6);
  list.switches[1].price = 100;
  EXPECT_EQ(AlternativeBuilder(8, 3, 6, 4, list).build("tree").parts.switches[0].first.ports, 4);
}

TEST(Alternatives, TheUplinkTreeUsesNicZeroAndTheUplinksOfTheDesign) {
  // NIC 0 of each of the six nodes, and one cable from each of three switches to the fourth.
  const Alternative tree = AlternativeBuilder(committed("lab")).build("uplink-tree");
  EXPECT_EQ(tree.parts.all_nics(), 6);
  EXPECT_EQ(tree.parts.cables, 6 + tree.parts.all_switches() - 1);
  EXPECT_EQ(measured(tree)["switches_traversed"]["unreached"], 0);
}

TEST(Alternatives, TheUplinkTreeUsesTheFirstNicOnASwitchWithAnUplink) {
  // Without a cable from the first switch to the uplink switch, its nodes use their next NICs.
  Json document = committed("lab").document;
  document["spec"]["switches"][0]["reserved"] = 0;
  const Alternative tree = AlternativeBuilder(read_design(document)).build("uplink-tree");
  EXPECT_EQ(measured(tree)["switches_traversed"]["unreached"], 0);
  const std::string first = document["spec"]["switches"][0]["name"];
  for (const Alternative::Uplink& each : tree.uplinks) EXPECT_NE(each.device, first);
}

TEST(Alternatives, TheLoadOfEachUplinkIsThatOfAnAllToAll) {
  const Json document = alternatives_of("klat2", std::nullopt);
  const Json& tree = row(document, "uplink-tree");
  long long nodes = 0;
  long long most = 0;
  for (const Json& each : tree["uplinks"]) nodes += each["nodes"].get<int>();
  EXPECT_EQ(nodes, 64);
  for (const Json& each : tree["uplinks"]) {
    // m nodes below a cable send to the 64 - m others, and receive as much.
    EXPECT_EQ(each["routes"], each["nodes"].get<int>() * (64 - each["nodes"].get<int>()));
    most = std::max(most, each["routes"].get<long long>());
  }
  // The census of all routes in the network finds the same maximum.
  EXPECT_EQ(tree["forwarding_index"]["switch"]["max"], most);
}

TEST(Alternatives, CostsOfKlat2AlternativesFollowFromThePriceList) {
  const Json document = alternatives_of("klat2", klat2_prices());
  // Nine switches at $525 and 256 NICs at $10.80, without uplink switch and spares.
  EXPECT_NEAR(row(document, "design")["fabric_cost"]["price"]["total"].get<double>(), 9 * 525 + 256 * 10.8, 1e-6);
  // The faster switch costs over $2,000 per PC.
  const Json& faster = row(document, "faster-switch");
  EXPECT_EQ(faster["fabric_cost"]["price"]["total"], 128000.0);
  EXPECT_EQ(faster["fabric_cost"]["per_gbps"]["effective_basic"], 2000.0);  // 128000 / (64 x 1 Gb/s)
  EXPECT_EQ(faster["possible"], false);
  // Break-even price of a switch of 64 ports: the cost of the design less 64 NICs, 7489.8 - 691.2.
  EXPECT_NEAR(row(document, "one-switch")["even_at"]["basic"]["alternative"]["switch"].get<double>(), 6798.6, 1e-6);
  // Four rails: four such switches and 256 NICs, with four times the bandwidth under advanced routing.
  EXPECT_NEAR(row(document, "rails")["even_at"]["basic"]["alternative"]["switch"].get<double>(), (7489.8 - 2764.8) / 4, 1e-6);
  // A fat tree of six switches: 3150 + 691.2, at full bandwidth or less.
  EXPECT_NEAR(row(document, "fat-tree/d-mod-k")["fabric_cost"]["price"]["total"].get<double>(), 3841.2, 1e-6);
}

TEST(Alternatives, AtTheBreakEvenPriceBothCostTheSamePerGbps) {
  const Design design = committed("klat2");
  const Fabric fabric = fabric_of(design);
  const Json document = alternatives_of("klat2", std::nullopt);
  const Parts parts = parts_of_design(design, fabric);
  for (const char* name : {"tree", "fat-tree/random", "clos/d-mod-k", "ring", "uplink-tree"}) {
    const Json& other = row(document, name);
    for (const char* routing : {"basic", "advanced"}) {
      const double ours = row(document, "design")["ebb"][routing]["sym"]["mean"];
      const double theirs = other["ebb"][routing]["sym"]["mean"];
      const Json& even = other["even_at"][routing];
      const double per_link = other["fabric_cost"]["price"]["total"].get<double>() / theirs;
      EXPECT_NEAR(even["design"]["total"].get<double>() / ours, per_link, 0.1) << name;
      EXPECT_NEAR(even["alternative"]["total"].get<double>() / theirs, 7489.8 / ours, 0.1) << name;
      if (even["design"]["nic"].is_null()) continue;
      const double nic = even["design"]["nic"];
      const double our_total = 9 * 525 + 256 * nic;
      const Json& cost = other["fabric_cost"];
      const double their_total = cost["price"]["switches"].get<double>() + cost["nics"].get<double>() * nic;
      EXPECT_NEAR(our_total / ours, their_total / theirs, 1e-3 * our_total) << name;
    }
  }
}

TEST(Alternatives, ComparisonListsTheWinsAndLossesOfKlat2) {
  const Json document = alternatives_of("klat2", klat2_prices());
  EXPECT_TRUE(has(measure(document, "switches-traversed")["wins_over"], "fat-tree/d-mod-k"));
  EXPECT_TRUE(has(measure(document, "pairwise")["wins_over"], "tree"));
  EXPECT_TRUE(has(measure(document, "effective-basic")["wins_over"], "uplink-tree"));
  EXPECT_TRUE(has(measure(document, "effective-basic")["wins_over"], "fat-tree/random"));
  // A fat tree needs fewer NICs and switches.
  EXPECT_TRUE(has(measure(document, "fabric-price")["loses_to"], "fat-tree/d-mod-k"));
  // An impossible alternative appears in no comparison.
  for (const Json& each : document["comparison"]) {
    for (const char* list : {"wins_over", "even_with", "loses_to"}) {
      for (const char* name : {"one-switch", "rails", "mesh"}) EXPECT_FALSE(has(each[list], name)) << each["measure"];
    }
  }
}

TEST(Alternatives, WithoutPricesOnlyCountsAreReported) {
  const Json document = alternatives_of("eight", std::nullopt);
  EXPECT_TRUE(row(document, "tree")["fabric_cost"]["price"].is_null());
  EXPECT_EQ(row(document, "tree")["fabric_cost"]["unpriced"].size(), 3U);
  EXPECT_TRUE(row(document, "tree")["even_at"]["basic"]["alternative"]["total"].is_null());
  EXPECT_THROW(measure(document, "fabric-price"), std::out_of_range);
}

TEST(Alternatives, TheNumberOfThreadsDoesNotChangeTheDocument) {
  EXPECT_EQ(pretty(alternatives_of("example", klat2_prices(), 1)), pretty(alternatives_of("example", klat2_prices(), 3)));
}

TEST(Alternatives, BandwidthsAreConsistentForEveryDesign) {
  for (const char* inventory : {"lab", "homelab16/ports8-uplink", "homelab16/ports16", "klat2-lean"}) {
    const Json document = alternatives_of(inventory, klat2_prices());
    for (const Json& each : document["alternatives"]) {
      if (each["ebb"].is_null()) {
        EXPECT_FALSE(each["reason"].is_null()) << row_name(each);
        continue;
      }
      const double uni = each["ebb"]["basic"]["uni"]["mean"];
      EXPECT_GT(uni, 0) << row_name(each);
      EXPECT_LE(each["ebb"]["basic"]["sym"]["mean"].get<double>(), uni + 1e-6) << row_name(each);
      EXPECT_GE(each["ebb"]["advanced"]["uni"]["mean"].get<double>(), uni - 1e-6) << row_name(each);
    }
  }
}

}  // namespace
}  // namespace fnn::testing
