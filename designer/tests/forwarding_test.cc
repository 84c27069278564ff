// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/forwarding.h"

#include <gtest/gtest.h>

#include "fabrics.h"
#include "routing/routes_document.h"

namespace fnn::testing {
namespace {

TEST(ForwardingIndex, OfSixNodesIsAsComputedByHand) {
  // Each of 30 routes uses one of twelve links upward and one of twelve downward: 60/24. Five peers over two NICs put
  // three on one NIC.
  const Fabric fabric = fabric_of(committed("lab"));
  const Json index = forwarding_index(fabric, choice_for(fabric));
  EXPECT_EQ(index["nic"], (Json{{"min", 2}, {"mean", {{"exact", "5/2"}, {"value", 2.5}}}, {"max", 3}}));
  EXPECT_EQ(index["switch"]["max"], 0) << "nothing goes over the uplink switch";
}

TEST(ForwardingIndex, OfSwitchesIsNullWithoutAnUplink) {
  const Fabric fabric = fabric_of(committed("eight"));
  EXPECT_TRUE(forwarding_index(fabric, choice_for(fabric))["switch"].is_null());
}

TEST(ForwardingIndex, TheBusiestNicMatchesTheRoutesDocument) {
  for (const char* inventory : {"eight", "klat2-lean", "kasy0"}) {
    const Design design = committed(inventory);
    const Fabric fabric = fabric_of(design);
    const double gbps = fabric.unit_mbps / 1000.0;
    const Json index = forwarding_index(fabric, choice_for(fabric));
    EXPECT_EQ(index["nic"]["max"].get<double>() / gbps, routes_document(design, 1)["most_peers_per_gbps"]) << inventory;
  }
}

}  // namespace
}  // namespace fnn::testing
