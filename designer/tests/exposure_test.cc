// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/exposure.h"

#include <gtest/gtest.h>

#include "fabrics.h"

namespace fnn::testing {
namespace {

TEST(Exposure, OfSixNodesIsAsComputedByHand) {
  // Four nodes on a switch form six pairs, of which two share another switch. Of the four exposed peers of a
  // node, two depend on each NIC.
  const Design lab = committed("lab");
  const Json lost = exposure(fabric_of(lab), lab.spec);
  EXPECT_EQ(lost["switch"]["max"], 4);
  EXPECT_EQ(lost["switch"]["mean"]["exact"], "4");
  EXPECT_EQ(lost["nic"]["mean"]["exact"], "2");
  // Two pairs depend on each of twelve cables, none on the three cables to the uplink switch.
  EXPECT_EQ(lost["cable"]["mean"]["exact"], "8/5");
  EXPECT_EQ(lost["cable"]["min"], 0);
  EXPECT_EQ(lost["switch"]["worst"], (Json{{"switch", lab.spec.switches[0].name}}));
}

TEST(Exposure, NamesTheWorstNic) {
  const Design eight = committed("eight");
  const Fabric fabric = fabric_of(eight);
  const Json worst = exposure(fabric, eight.spec)["nic"];
  EXPECT_TRUE(worst["worst"].contains("node"));
  EXPECT_TRUE(worst["worst"].contains("switch"));
  // Each of the 21 exposed pairs depends on two of the 24 NICs.
  EXPECT_EQ(worst["mean"]["exact"], "7/4");
}

TEST(Exposure, OfRailsIsZero) {
  const Design rails = committed("homelab16/ports16");
  EXPECT_EQ(exposure(fabric_of(rails), rails.spec)["switch"]["max"], 0);
}

}  // namespace
}  // namespace fnn::testing
