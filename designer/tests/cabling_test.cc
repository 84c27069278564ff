// SPDX-License-Identifier: GPL-3.0-or-later
#include "design/cabling.h"

#include <gtest/gtest.h>

#include "support.h"

namespace fnn::testing {
namespace {

/// Links of rj45 only, given the switches of each node.
Links links(const std::vector<std::vector<int>>& switches) {
  Links result;
  for (const auto& of_node : switches) {
    result.emplace_back();
    for (const int device : of_node) result.back().push_back({device, 0, 0});
  }
  return result;
}

TEST(Tidying, SortsTheSixNodesAsInThePaper) {
  const Spec spec = read_spec(plain_spec(6, 2, 3, 4));
  const Links mixed = links({{1, 2}, {0, 1}, {0, 2}, {0, 1}, {1, 2}, {0, 2}});
  EXPECT_EQ(tidied(mixed, spec), links({{0, 1}, {0, 1}, {0, 2}, {0, 2}, {1, 2}, {1, 2}}));
}

TEST(Tidying, DoesNotPermuteNodesOfDifferentKinds) {
  Json document = plain_spec(3, 1, 2, 4);
  document["nodes"][1]["rack"] = "r1";
  const Spec spec = read_spec(document);
  // Node 1 is of another kind than nodes 0 and 2, so it stays alone on its switch.
  const Links result = tidied(links({{1}, {0}, {1}}), spec);
  EXPECT_EQ(result, links({{0}, {1}, {0}}));
}

TEST(Tidying, DoesNotPermuteSwitchesOfDifferentKinds) {
  Json document = plain_spec(3, 1, 2, 4);
  document["switches"][1]["ports"] = 5;
  EXPECT_EQ(tidied(links({{1}, {1}, {1}}), read_spec(document)), links({{1}, {1}, {1}}));
}

TEST(Matching, PermutesSwitchesAndNodesToKeepStandingCables) {
  const Spec spec = read_spec(plain_spec(4, 1, 2, 2));
  const Cabling old = {{{0, 0}}, {{0, 0}}, {{0, 1}}, {{0, 1}}};
  // The same wiring with the names of the switches swapped, and nodes 1 and 2 swapped.
  const Links now = links({{1}, {0}, {1}, {0}});
  EXPECT_EQ(matched(now, old, spec), links({{0}, {0}, {1}, {1}}));
}

TEST(NicChoice, AssignsSwitchesInOrderToNics) {
  const Limits limits(read_spec(plain_spec(2, 3, 3, 4)));
  EXPECT_EQ(cabled(links({{0, 2}, {1}}), {}, limits), (Cabling{{{0, 0}, {1, 2}}, {{0, 1}}}));
}

TEST(NicChoice, StandingLinksKeepTheirNics) {
  const Limits limits(read_spec(plain_spec(2, 3, 3, 4)));
  const Cabling old = {{{0, 2}, {2, 0}}, {}};
  EXPECT_EQ(cabled(links({{0, 1, 2}, {1}}), old, limits)[0], (std::vector<Cable>{{0, 2}, {1, 1}, {2, 0}}));
}

TEST(NicChoice, LinksUseNicsOfTheirMedia) {
  Json document = plain_spec(2, 2, 1, 4);
  document["switches"].push_back({{"name", "fast"}, {"ports", {{{"count", 4}, {"speed_mbps", 10000}, {"media", "sfp"}}}}});
  for (Json& node : document["nodes"]) {
    node["nics"] = Json::parse(R"([{"speed_mbps": 10000, "media": "sfp"}, {"speed_mbps": 1000, "media": "rj45"}])");
  }
  const Limits limits(read_spec(document));
  Wiring wiring(limits);
  for (int nic = 0; nic < 4; ++nic) wiring.plug(nic, limits.group_of(nic % 2 == 0 ? 1 : 0, limits.nics[Limits::at(nic)].media));
  // NIC 0 has sfp and therefore leads to switch 1, although switch 0 comes first.
  EXPECT_EQ(cabled(links_of(wiring), {}, limits)[0], (std::vector<Cable>{{0, 1}, {1, 0}}));
}

/// Two nodes, each with a slow and a fast NIC of one medium; the fast NICs are on switch 0.
Cabling fast_to_first(Json document) {
  for (Json& node : document["nodes"]) {
    node["nics"] = Json::parse(R"([{"speed_mbps": 100, "media": "rj45"}, {"speed_mbps": 1000, "media": "rj45"}])");
  }
  const Limits limits(read_spec(document));
  Wiring wiring(limits);
  for (int nic = 0; nic < 4; ++nic) wiring.plug(nic, 1 - nic % 2);
  return cabled(links_of(wiring), {}, limits);
}

TEST(NicChoice, LinksKeepTheirSpeedWhenBandwidthIsAGoal) {
  Json document = plain_spec(2, 2, 2, 2);
  EXPECT_EQ(fast_to_first(document)[0], (std::vector<Cable>{{0, 0}, {1, 1}})) << "in order, when speed does not matter";
  document["goals"]["shared_switches"] = 1;
  EXPECT_EQ(fast_to_first(document)[0], (std::vector<Cable>{{0, 1}, {1, 0}}));
}

}  // namespace
}  // namespace fnn::testing
