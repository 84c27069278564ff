// SPDX-License-Identifier: GPL-3.0-or-later
#include "program/redesigning.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "design/check.h"
#include "design/design_document.h"
#include "program/headroom.h"
#include "support.h"

namespace fnn::testing {
namespace {

Designed run(const Spec& spec, const std::optional<Design>& old = std::nullopt, bool growing = false) {
  DesignRequest request;
  request.time_limit = 3600;
  request.generations = 60;
  request.grow = growing;
  return design(spec, old, request, [](std::int64_t, const Individual&) {});
}

Design as_design(const Spec& spec, const Cabling& cabling) {
  return read_design(design_document(spec, cabling, 1, {}, std::nullopt));
}

bool is_valid(const Spec& spec, const Cabling& cabling) {
  return check_design(as_design(spec, cabling), std::nullopt).empty();
}

bool has_cable(const Cabling& cabling, std::size_t node, const Cable& cable) {
  return std::find(cabling[node].begin(), cabling[node].end(), cable) != cabling[node].end();
}

/// A spec with node, NIC and switch of each pin.
Spec pinned(const Json& document, const std::vector<std::tuple<std::string, int, std::string>>& pins) {
  Spec spec = read_spec(document);
  for (const auto& [node, nic, device] : pins) {
    spec.normal["pinned"].push_back({{"node", node}, {"nic", nic}, {"switch", device}});
  }
  return spec;
}

void expect_growth_without_a_move(int nodes, int later, int switches, int ports) {
  const Spec now = read_spec(plain_spec(nodes, 4, switches, ports));
  const Spec then = read_spec(plain_spec(nodes + later, 4, switches, ports));
  Cabling cabling = run(with_headroom(now, later)).cabling;
  ASSERT_EQ(remove_future_nodes(cabling, now), later);
  EXPECT_TRUE(is_valid(now, cabling));
  const Designed grown = run(then, as_design(now, cabling), true);
  EXPECT_EQ(grown.stage, "grown");
  EXPECT_EQ(grown.moves->moved, 0);
  EXPECT_TRUE(is_valid(then, grown.cabling));
}

TEST(Growing, SixteenNodesBecomeTwentyWithoutAMoveWhenHeadroomWasKept) { expect_growth_without_a_move(16, 4, 10, 8); }

TEST(Growing, SixtyFourNodesBecomeSeventyTwoWithoutAMoveWhenHeadroomWasKept) {
  expect_growth_without_a_move(64, 8, 10, 31);
}

TEST(Growing, TwoFreePortsOnTwoSwitchesHoldASeventhNode) {
  // Six nodes fill three switches of four ports, with two nodes on each pair of switches.
  const Spec six = read_spec(plain_spec(6, 2, 3, 4));
  Json document = plain_spec(7, 2, 3, 4);
  document["switches"][0]["ports"] = 5;
  document["switches"][1]["ports"] = 5;
  const Spec seven = read_spec(document);
  const Designed grown = run(seven, as_design(six, run(six).cabling), true);
  EXPECT_EQ(grown.moves->kept, 12);
  EXPECT_TRUE(is_valid(seven, grown.cabling));
}

TEST(Growing, ReportsTheProvedLowerBoundOfMoves) {
  Json document = plain_spec(7, 2, 3, 4);
  document["switches"][0]["ports"] = 6;
  const Spec six = read_spec(plain_spec(6, 2, 3, 4));
  const Spec seven = read_spec(document);
  const Designed grown = run(seven, as_design(six, run(six).cabling), true);
  EXPECT_EQ(grown.stage, "moved");
  EXPECT_EQ(grown.moves->moved, 1);
  EXPECT_EQ(grown.moves->at_least, 1);
  EXPECT_TRUE(is_valid(seven, grown.cabling));
}

TEST(Headroom, GivesFutureNodesUnusedNames) {
  Json document = plain_spec(3, 2, 2, 6);
  document["nodes"][1]["name"] = "later0";
  const Spec whole = with_headroom(read_spec(document), 2);
  ASSERT_EQ(whole.nodes.size(), 5U);
  EXPECT_EQ(whole.nodes[3].name, "later1");
  EXPECT_EQ(whole.nodes[4].name, "later2");
}

TEST(Headroom, UsesTheMostCommonKindOfNode) {
  Json document = plain_spec(4, 2, 2, 6);
  document["nodes"][0]["nics"] = 1;
  const Spec whole = with_headroom(read_spec(document), 1);
  EXPECT_EQ(whole.nodes[4].nic_media.size(), 2U);
}

TEST(Headroom, CountsOnlyNodesThatShareASwitchWithAllOthers) {
  const Spec spec = read_spec(plain_spec(2, 2, 3, 4));
  Cabling cabling = {{{0, 0}, {1, 1}}, {{0, 0}, {1, 2}}, {{0, 1}}, {{0, 0}}};
  EXPECT_EQ(remove_future_nodes(cabling, spec),
            1);  // the third node is on switch 1 only and shares none with the second
  EXPECT_EQ(cabling.size(), 2U);
}

TEST(Pinning, AFreshDesignHasEveryPinnedCable) {
  const Spec spec = pinned(plain_spec(6, 2, 3, 4), {{"n000", 1, "s02"}, {"n003", 0, "s02"}, {"n005", 1, "s00"}});
  const Designed fresh = run(spec);
  EXPECT_TRUE(has_cable(fresh.cabling, 0, {1, 2}));
  EXPECT_TRUE(has_cable(fresh.cabling, 3, {0, 2}));
  EXPECT_TRUE(has_cable(fresh.cabling, 5, {1, 0}));
}

TEST(Pinning, ARedesignMovesThePinnedCableAndCountsIt) {
  const Json document = plain_spec(16, 4, 10, 8);
  const Spec before = read_spec(document);
  const Cabling old = run(before).cabling;
  int elsewhere = 0;
  while (elsewhere == old[3][0].device) ++elsewhere;
  const Spec after = pinned(document, {{"n003", old[3][0].nic, "s0" + std::to_string(elsewhere)}});
  for (const bool growing : {false, true}) {
    const Designed redesigned = run(after, as_design(before, old), growing);
    EXPECT_TRUE(has_cable(redesigned.cabling, 3, {old[3][0].nic, elsewhere}));
    EXPECT_GE(redesigned.moves->moved, 1);
    EXPECT_EQ(redesigned.moves->moved, count_cables(old) - redesigned.moves->kept);
  }
}

}  // namespace
}  // namespace fnn::testing
