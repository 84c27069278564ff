// SPDX-License-Identifier: GPL-3.0-or-later
#include "alternatives/price_list.h"

#include <gtest/gtest.h>

#include "support.h"

namespace fnn::testing {
namespace {

Json document() {
  return Json::parse(R"({"format": "fnn-prices", "version": 1, "name": "ours", "date": "2026-11", "currency": "EUR"})");
}

TEST(PriceList, EveryShippedListIsValid) {
  int lists = 0;
  for (const auto& file : std::filesystem::directory_iterator(std::filesystem::path(FNN_INVENTORY) / "../prices")) {
    EXPECT_NO_THROW(read_price_list(read_json(file.path()))) << file.path();
    ++lists;
  }
  EXPECT_GE(lists, 2);
}

TEST(PriceList, Klat2HasThePricesOfThePaper) {
  const PriceList list = read_price_list(read_json(std::filesystem::path(FNN_INVENTORY) / "../prices/klat2-2000.json"));
  EXPECT_EQ(list.switches[0].price, 525);
  EXPECT_EQ(list.switches[0].ports, 32);
  // $8,100 less ten switches, divided by 66 PCs with four NICs each.
  EXPECT_NEAR(list.nics[0].price, (8100 - 10 * 525) / 264.0, 0.01);
  EXPECT_EQ(list.connections[0].price, 2000);
}

TEST(PriceList, AllErrorsAreReportedTogether) {
  Json wrong = document();
  wrong["switches"] = Json::parse(R"([{"name": "a", "ports": 0, "speed_mbps": 1000, "price": -1, "source": "us"}])");
  wrong["nics"] = Json::parse(R"([{"name": "b", "ports": 2, "speed_mbps": 1000, "price": 5}])");
  try {
    read_price_list(wrong);
    FAIL();
  } catch (const BadInput& bad) {
    std::vector<std::string> places;
    for (const Problem& problem : bad.problems()) places.push_back(problem.at);
    EXPECT_EQ(places, (std::vector<std::string>{"/nics/0/source", "/switches/0/ports", "/switches/0/price"}));
  }
}

TEST(PriceList, AmountsBeyondReasonAreRejected) {
  Json wrong = document();
  wrong["cables"] = Json::parse(R"([{"speed_mbps": 1000, "price": 1e300, "source": "us"}])");
  wrong["switches"] =
      Json::parse(R"([{"name": "a", "ports": 8, "speed_mbps": 1000, "price": 1, "internal_gbps": 1e300, "source": "us"}])");
  try {
    read_price_list(wrong);
    FAIL();
  } catch (const BadInput& bad) {
    EXPECT_EQ(bad.problems(), (std::vector<Problem>{{"/cables/0/price", "1e+300 is more than 1000000000000"},
                                                    {"/switches/0/internal_gbps", "1e+300 is more than 1000000000"}}));
  }
}

}  // namespace
}  // namespace fnn::testing
