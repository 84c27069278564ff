// SPDX-License-Identifier: GPL-3.0-or-later
// docs/reference/bounds.md has the proofs. rank_bounds_test.cc compares these bounds with exhaustive searches.
#include "oracle/size_bounds.h"

#include <gtest/gtest.h>

#include <tuple>

#include "named_bounds.h"
#include "support.h"

namespace fnn::testing {
namespace {

// 15 nodes with 4 links on switches of 5: a switch has at least 14 - 3 * 4 + 1 = 3 nodes. 60 links on 15 switches: seven
// have 5, one has 4, seven have 3 nodes: 70 + 6 + 21 = 97 pairs, but there are 105.
TEST(SizeBounds, SizesLetSoManySwitchesNotAllBeFull) {
  const Bound bound = bounds_of(plain_spec(15, 4, 40, 5)).at("sizes");
  EXPECT_EQ(bound.available, 97);
  EXPECT_EQ(bound.needed, 105);
  EXPECT_EQ(bound.message,
            "at least 15 switches must have 3 to 5 nodes each; with the NICs and ports that there are they cover at most "
            "97 pairs of nodes, but there are 105");
  expect_only(plain_spec(15, 4, 40, 5), "sizes");
  EXPECT_FALSE(bounds_of(plain_spec(13, 4, 13, 4)).contains("sizes"));  // says no more than the pairs bound
}

// Every pair shares two switches: a switch has at least 2 * 23 - 5 * 8 + 1 = 7 nodes. All 24 nodes are light with 6 links
// (excess 2), so 24 switches with 168 links are necessary, but there are 144 NICs.
TEST(SizeBounds, SizesCountLinksWhereTheyAreTooFewForTheSmallestSwitches) {
  Json document = plain_spec(24, 6, 30, 9);
  document["redundancy"] = 2;
  expect_only(document, "sizes");
  const Bound bound = bounds_of(document).at("sizes");
  EXPECT_EQ(bound.needed, 168);
  EXPECT_EQ(bound.available, 144);
  EXPECT_EQ(bound.message,
            "at least 24 switches must have 7 to 9 nodes each, 168 links or more in all, but there are NICs and ports for "
            "only 144");
}

// 20 nodes on 20 switches of 5 ports: 5 * 4 = 20 for 19 others, so the nodes are in pairs that share two switches.
// det(N * N') = 25 * 5^9 * 3^10 would be the square of an integer. With 12 nodes and 4 ports it is 16 * 4^5 * 2^6, and
// there is a design.
TEST(SizeBounds, TheDeterminantOfASquareIncidenceMatrixIsAnInteger) {
  expect_only(plain_spec(20, 5, 20, 5), "determinant");
  EXPECT_EQ(bounds_of(plain_spec(20, 5, 20, 5)).at("determinant").message,
            "20 nodes need more than 20 switches with 5 ports for nodes: the determinant of the incidence matrix would "
            "not be an integer, as its square would be 5 times a square");
  EXPECT_FALSE(bounds_of(plain_spec(20, 5, 21, 5)).contains("determinant"));
  EXPECT_FALSE(bounds_of(plain_spec(12, 4, 12, 4)).contains("determinant"));
  EXPECT_EQ(fewest_switches_by_bounds(20, 6, 5), 21);
  EXPECT_EQ(fewest_switches_by_bounds(12, 4, 4), 12);
}

// Excess 0: biplanes have 7, 11, 16, 37, 56 and 79 nodes; one of 22 would have determinant 49 * 5^21 (Shrikhande, Chowla and
// Ryser). The designs of 36, 64 and 100 nodes come from Hadamard matrices, those of 40 and 156 from the planes of space.
// Excess 1: 6, 12 and 12 nodes, cyclic. Excess 2: the complements of the edges of a hexagon.
TEST(SizeBounds, TheDeterminantAllowsKnownDesigns) {
  const std::vector<std::tuple<int, int, int, bool>> table = {
      {16, 6, 2, true},    {22, 7, 2, false},   {56, 11, 2, true}, {36, 15, 6, true}, {64, 28, 12, true}, {100, 45, 20, true},
      {40, 13, 4, true},   {156, 31, 6, true},  {6, 3, 1, true},   {12, 4, 1, true},  {12, 8, 5, true},   {20, 15, 11, false},
      {6, 4, 2, true}};
  for (const auto& [nodes, links, redundancy, exists] : table) {
    Json document = plain_spec(nodes, links, nodes, links);
    document["redundancy"] = redundancy;
    EXPECT_EQ(bounds_of(document).contains("determinant"), !exists) << nodes << "/" << links;
  }
}

// A fifth link would let a switch have two nodes in place of three.
TEST(SizeBounds, LinksToSwitchesWithOnePortDoNotCount) {
  Json document = plain_spec(15, 1, 41, 5);
  for (Json& node : document["nodes"]) {
    node["nics"] = Json(4, {{"media", "rj45"}});
    node["nics"].push_back({{"media", "sfp"}});
  }
  document["switches"][40]["ports"] = {{{"count", 1}, {"media", "sfp"}}};
  expect_only(document, "sizes");
}

// The constructions of the capacity table have the most nodes that there can be, in most entries.
TEST(SizeBounds, AllowThePlaneOfOrderThree) {
  EXPECT_TRUE(sizes_allow(uniform_rank_input(13, 4, 4, 1), 52));
  EXPECT_TRUE(sizes_allow(uniform_rank_input(14, 4, 5, 1), 56));
  EXPECT_FALSE(sizes_allow(uniform_rank_input(15, 4, 5, 1), 60));
}

}  // namespace
}  // namespace fnn::testing
