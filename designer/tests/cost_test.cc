// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/cost.h"

#include <gtest/gtest.h>

#include "fabrics.h"
#include "support.h"

namespace fnn::testing {
namespace {

/// The costs without those per effective bisection bandwidth.
Json measure_cost(const Fabric& fabric, const Spec& spec) {
  return cost(fabric, spec, bisection(fabric), {1, 1}, cable_meters(fabric, spec));
}

TEST(Cost, OfKlat2IsThatOfThePaper) {
  // Ten switches at $525 and NICs with their cables at $10.80: 64 nodes and two spares with four each.
  const Spec spec = committed("klat2").spec;
  const Json paid = measure_cost(klat2_as_built(), spec);
  EXPECT_EQ(paid["switches"], 10);
  EXPECT_EQ(paid["nics"], 264);
  EXPECT_EQ(paid["cables"], 264 + 9);
  EXPECT_EQ(paid["price"]["total"], 8101.2);  // 5250 + 264 x 10.8
  EXPECT_EQ(std::lround(paid["per_gbps"]["best"].get<double>()), 316);          // 8101.2 / 25.6
  EXPECT_EQ(std::lround(paid["per_gbps"]["conservative"].get<double>()), 681);  // 8101.2 / 11.898
  EXPECT_EQ(paid["per_node"], 126.58125);
  EXPECT_EQ(paid["unpriced"], (Json{"cables"}));
}

TEST(Cost, WithoutPricesOnlyCountsAreReported) {
  const Design eight = committed("eight");
  const Json paid = measure_cost(fabric_of(eight), eight.spec);
  EXPECT_EQ(paid["nics"], 24);
  EXPECT_EQ(paid["switches"], 6);
  EXPECT_EQ(paid["cables"], 24);
  EXPECT_TRUE(paid["price"].is_null());
  EXPECT_TRUE(paid["per_gbps"].is_null());
}

TEST(Cost, CountsComponentsInUse) {
  Json document = plain_spec(2, 2, 3, 2);
  document["prices"] = Json::parse(R"({"nic": 10, "cable": 2, "cable_m": 1, "switch": 50})");
  document["racks"] = Json::parse(R"([{"name": "a", "x_m": 0, "y_m": 0}, {"name": "b", "x_m": 3, "y_m": 0}])");
  for (Json& node : document["nodes"]) node["rack"] = "a";
  for (Json& device : document["switches"]) device["rack"] = "b";
  document["switches"][0]["price"] = 100;
  const Spec spec = read_spec(document);
  Fabric fabric = fabric_on({{0, 1}, {0, 1}});
  // A third switch without nodes.
  fabric.links.push_back(0);
  fabric.links_mbps.push_back(0);
  fabric.inside_mbps.push_back(Fabric::kUnlimited);
  fabric.uplinked.push_back(false);
  // Four NICs, a switch at 100 and one at 50, four cables of three meters each.
  EXPECT_EQ(measure_cost(fabric, spec)["price"],
            (Json{{"nics", 40.0}, {"switches", 150.0}, {"cables", 20.0}, {"total", 210.0}}));
}

}  // namespace
}  // namespace fnn::testing
