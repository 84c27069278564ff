// SPDX-License-Identifier: GPL-3.0-or-later
#include "alternatives/network_cost.h"

#include <gtest/gtest.h>

#include "alternatives/alternatives_document.h"
#include "design/design_document.h"
#include "evaluate/evaluation_document.h"
#include "fabrics.h"
#include "support.h"

namespace fnn::testing {
namespace {

Json measure_all(const Design& design, const std::optional<PriceList>& list = std::nullopt) {
  const Sampling sampling{1, 50, 1};
  const MeasuredNetwork own = measured_flat_network(design, evaluation_document(design, sampling), sampling.seed);
  return alternatives_document(design, own, {{}, list}, sampling);
}

Json measure_cost(const Design& design) { return measure_all(design)["cost"]; }

/// Part -> its pieces.
Json pieces(const Json& cost) {
  Json pieces = Json::object();
  for (const Json& part : cost["parts"]) pieces[part["part"].get<std::string>()] = part["pieces"];
  return pieces;
}

Design designed(const Json& document, const Cabling& cabling) {
  return read_design(design_document(read_spec(document), cabling, 1, {}, std::nullopt));
}

TEST(NetworkCost, OfKlat2IsThatOfThePaper) {
  // Ten switches at $525 and NICs with their cables at $10.80: 64 nodes and two spares with four each. The spares are
  // plugged in at the uplink switch alone.
  const Json all = measure_all(committed("klat2"));
  const Json& paid = all["cost"];
  EXPECT_EQ(pieces(paid), (Json{{"node-nics", 256}, {"switches", 9}, {"node-cables", 256}, {"uplink-switch", 1},
                                {"uplink-cables", 9}, {"spare-nics", 8}, {"spare-cables", 2}}));
  EXPECT_EQ(paid["switches"], 10);
  EXPECT_EQ(paid["nics"], 264);
  EXPECT_EQ(paid["cables"], 256 + 9 + 2);
  EXPECT_EQ(paid["price"]["total"], 8101.2);  // 5250 + 264 x 10.8
  EXPECT_EQ(std::lround(paid["per_gbps"]["best"].get<double>()), 316);  // 8101.2 / 25.6
  EXPECT_EQ(paid["per_node"], 126.58125);
  EXPECT_EQ(paid["unpriced"], (Json{"cables"}));
  EXPECT_EQ(all["currency"], "USD");
}

TEST(NetworkCost, PartsOfTheFabricCostWhatIsComparedWithOtherNetworks) {
  for (const char* inventory : {"klat2", "klat2-lean"}) {
    const Json all = measure_all(committed(inventory));
    double fabric = 0;
    double network = 0;
    for (const Json& part : all["cost"]["parts"]) {
      const double price = part["price"].is_null() ? 0 : part["price"].get<double>();
      network += price;
      if (part["in_fabric"]) fabric += price;
    }
    EXPECT_NEAR(fabric, all["alternatives"][0]["fabric_cost"]["price"]["total"].get<double>(), 1e-6) << inventory;
    EXPECT_NEAR(network, all["cost"]["price"]["total"].get<double>(), 1e-6) << inventory;
    EXPECT_GT(network, fabric) << inventory;
  }
}

TEST(NetworkCost, WithoutPricesOnlyCountsAreReported) {
  const Json all = measure_all(committed("eight"));
  EXPECT_EQ(pieces(all["cost"]), (Json{{"node-nics", 24}, {"switches", 6}, {"node-cables", 24}}));
  EXPECT_TRUE(all["cost"]["price"].is_null());
  EXPECT_TRUE(all["cost"]["per_gbps"].is_null());
  EXPECT_TRUE(all["currency"].is_null());
}

/// Two nodes with two NICs each on two of three switches.
Json priced_spec() {
  Json document = plain_spec(2, 2, 3, 2);
  document["prices"] = Json::parse(R"({"nic": 10, "cable": 2, "cable_m": 1, "switch": 50})");
  document["racks"] = Json::parse(R"([{"name": "a", "x_m": 0, "y_m": 0}, {"name": "b", "x_m": 3, "y_m": 0}])");
  for (Json& node : document["nodes"]) node["rack"] = "a";
  for (Json& device : document["switches"]) device["rack"] = "b";
  document["switches"][0]["price"] = 100;
  return document;
}

Cabling two_on_two() { return {{{0, 0}, {1, 1}}, {{0, 0}, {1, 1}}}; }

TEST(NetworkCost, CountsComponentsInUse) {
  // Four NICs, a switch at 100 and one at 50, four cables of three meters each; the third switch has no node.
  EXPECT_EQ(measure_cost(designed(priced_spec(), two_on_two()))["price"],
            (Json{{"nics", 40.0}, {"switches", 150.0}, {"cables", 8.0}, {"cable_length", 12.0}, {"total", 210.0}}));
}

TEST(NetworkCost, SparesAndHostsHaveACableEachToTheUplinkSwitch) {
  Json document = priced_spec();
  for (Json& device : document["switches"]) device.update({{"ports", 3}, {"reserved", 1}});
  document["uplink"] = Json::parse(R"({"name": "up", "ports": 8, "spares": ["s0"], "hosts": ["head", "login"]})");
  const Json paid = measure_cost(designed(document, two_on_two()));
  EXPECT_EQ(pieces(paid), (Json{{"node-nics", 4}, {"switches", 2}, {"node-cables", 4}, {"uplink-switch", 1},
                                {"uplink-cables", 3}, {"spare-nics", 2}, {"spare-cables", 1}, {"host-cables", 2}}));
  EXPECT_EQ(paid["cables"], 10);
}

TEST(NetworkCost, WithoutThePriceOfASwitchThereIsNoSum) {
  Json document = priced_spec();
  document["prices"].erase("switch");
  const Json paid = measure_cost(designed(document, two_on_two()));
  EXPECT_TRUE(paid["price"]["total"].is_null());
  EXPECT_TRUE(paid["per_node"].is_null());
  EXPECT_EQ(paid["unpriced"], (Json{"switches"}));
}

TEST(NetworkCost, TheUplinkSwitchIsTheCheapestOfThePriceListThatSuffices) {
  Json document = priced_spec();
  for (Json& device : document["switches"]) device.update({{"price", 100}, {"ports", 3}, {"reserved", 1}});
  document["prices"].erase("switch");
  document["uplink"] = Json::parse(R"({"name": "up", "ports": 8})");
  PriceList list;
  list.currency = "EUR";
  list.switches = {{"small", 5, 1000, 10, {}}, {"slow", 8, 100, 20, {}}, {"large", 24, 1000, 70, {}}, {"fits", 8, 1000, 40, {}}};
  const Json paid = measure_all(designed(document, two_on_two()), list)["cost"];
  EXPECT_EQ(paid["price"]["switches"], 2 * 100.0 + 40.0);
}

TEST(NetworkCost, PricesInTwoCurrenciesAreRefused) {
  PriceList list;
  list.name = "shop";
  list.currency = "EUR";
  try {
    measure_all(committed("klat2"), list);
    FAIL();
  } catch (const BadInput& bad) {
    EXPECT_EQ(bad.problems().front().at, "/spec/prices/currency");
    EXPECT_EQ(bad.problems().front().message, "USD, but the price list shop is in EUR; expected the same currency in both");
  }
  // Prices without a currency are in that of the price list.
  EXPECT_EQ(measure_all(designed(priced_spec(), two_on_two()), list)["currency"], "EUR");
}

}  // namespace
}  // namespace fnn::testing
