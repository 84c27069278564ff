// SPDX-License-Identifier: GPL-3.0-or-later
#include "design/wiring.h"

#include <gtest/gtest.h>

#include "support.h"

namespace fnn::testing {
namespace {

TEST(WiringTest, RejectsASecondLinkToTheSameSwitch) {
  const Limits limits(read_spec(plain_spec(2, 2, 2, 2)));
  Wiring wiring(limits);
  wiring.plug(0, 0);
  EXPECT_FALSE(wiring.can_plug(1, 0)) << "NIC 1 is of the same node";
  EXPECT_TRUE(wiring.can_plug(1, 1));
  EXPECT_TRUE(wiring.can_plug(2, 0)) << "NIC 2 is of the other node";
}

TEST(WiringTest, RejectsALinkToAFullSwitch) {
  const Limits limits(read_spec(plain_spec(3, 1, 1, 2)));
  Wiring wiring(limits);
  wiring.plug(0, 0);
  wiring.plug(1, 0);
  EXPECT_EQ(wiring.free_ports(0), 0);
  EXPECT_FALSE(wiring.can_plug(2, 0));
  wiring.unplug(0);
  EXPECT_TRUE(wiring.can_plug(2, 0));
}

TEST(WiringTest, ReservedPortsCountOverAllMedia) {
  Json document = plain_spec(4, 1, 1, 2);
  document["switches"][0]["ports"] = Json::parse(
      R"([{"count": 2, "speed_mbps": 1000, "media": "rj45"}, {"count": 2, "speed_mbps": 1000, "media": "sfp"}])");
  document["switches"][0]["reserved"] = 1;
  for (const std::size_t node : {2U, 3U}) document["nodes"][node]["nics"] = {{{"speed_mbps", 1000}, {"media", "sfp"}}};
  const Limits limits(read_spec(document));
  Wiring wiring(limits);
  wiring.plug(0, 0);
  wiring.plug(1, 0);
  wiring.plug(2, 1);
  EXPECT_FALSE(wiring.can_plug(3, 1)) << "there is an sfp port left, but it is the reserved one";
}

TEST(WiringTest, FillingAnEmptyWiringUsesEveryNic) {
  // 64 * 4 = 256 NICs for 13 * 20 = 260 ports: all of them fit, with four ports to spare.
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    const Limits limits(read_spec(plain_spec(64, 4, 13, 20)));
    Wiring wiring(limits);
    wiring.fill(random);
    EXPECT_EQ(wiring.link_count(), 256);
    EXPECT_EQ(broken_limit(wiring), "");
  }
}

TEST(WiringTest, FillingStaysWithinTheLimits) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    const Limits limits(read_spec(random_spec(random)));
    Wiring wiring(limits);
    wiring.fill(random);
    EXPECT_EQ(broken_limit(wiring), "") << "seed " << seed;
  }
}

}  // namespace
}  // namespace fnn::testing
