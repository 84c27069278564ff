// SPDX-License-Identifier: GPL-3.0-or-later
#include "design/port_limits.h"

#include <gtest/gtest.h>

#include "support.h"

namespace fnn::testing {
namespace {

TEST(PortLimits, PortsOfOneMediaOnOneSwitchAreOneGroup) {
  Json document = plain_spec(2, 2, 1, 4);
  document["switches"][0]["reserved"] = 1;
  document["switches"][0]["ports"] = Json::parse(R"([
    {"count": 2, "speed_mbps": 1000, "media": "rj45"},
    {"count": 3, "speed_mbps": 10000, "media": "sfp"},
    {"count": 1, "speed_mbps": 2500, "media": "rj45"}])");
  const Limits limits(read_spec(document));
  ASSERT_EQ(limits.groups.size(), 2U);
  EXPECT_EQ(limits.groups[0].ports, 3);      // 2 + 1 of rj45
  EXPECT_EQ(limits.groups[1].ports, 3);      // of sfp
  EXPECT_EQ(limits.usable_ports[0], 5);      // 6 in all, any one of them reserved
  EXPECT_EQ(limits.nics.size(), 4U);
  EXPECT_EQ(limits.group_of(0, limits.nics[0].media), 0);
}

TEST(PortLimits, AMediaThatASwitchLacksHasNoGroup) {
  Json document = plain_spec(2, 1, 2, 4);
  document["nodes"][1]["nics"] = Json::parse(R"([{"speed_mbps": 10000, "media": "sfp+"}])");
  document["switches"][1]["ports"] = Json::parse(R"([{"count": 2, "speed_mbps": 25000, "media": "sfp28"}])");
  const Limits limits(read_spec(document));
  EXPECT_EQ(limits.group_of(0, limits.nics[1].media), kDummy);
  EXPECT_NE(limits.group_of(1, limits.nics[1].media), kDummy) << "sfp28 is of the same family";
}

}  // namespace
}  // namespace fnn::testing
