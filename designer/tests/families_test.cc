// SPDX-License-Identifier: GPL-3.0-or-later
#include "oracle/families.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "oracle/blow_ups.h"
#include "oracle/found_designs.h"
#include "oracle/most_nodes.h"
#include "oracle/small_families.h"

namespace fnn::testing {
namespace {

int shared(const std::vector<int>& a, const std::vector<int>& b) {
  return static_cast<int>(
      std::count_if(a.begin(), a.end(), [&](int device) { return std::find(b.begin(), b.end(), device) != b.end(); }));
}

/// The fewest switches that two types share, including a type with itself.
int fewest_shared(const Family& family) {
  int fewest = family.switches;
  for (const auto& a : family.types) {
    for (const auto& b : family.types) fewest = std::min(fewest, shared(a, b));
  }
  return fewest;
}

void expect_sound(const Family& family) {
  EXPECT_EQ(fewest_shared(family), family.shared) << family.name;
  for (const auto& type : family.types) {
    EXPECT_EQ(std::set<int>(type.begin(), type.end()).size(), type.size()) << family.name;
    EXPECT_TRUE(std::is_sorted(type.begin(), type.end())) << family.name;
    EXPECT_GE(type.front(), 0);
    EXPECT_LT(type.back(), family.switches) << family.name;
  }
}

/// Of a design: one width per switch.
std::vector<int> widths_of(const Family& design) {
  return std::vector<int>(static_cast<std::size_t>(design.switches), design.ports);
}

TEST(Families, InAProjectivePlaneAnyTwoTypesShareExactlyOneSwitch) {
  for (const int order : plane_orders()) {
    const Family plane = projective_plane(order);
    EXPECT_EQ(plane.switches, order * order + order + 1);
    EXPECT_EQ(plane.rank(), static_cast<std::size_t>(order) + 1);
    for (std::size_t other = 1; other < plane.types.size(); ++other) {
      EXPECT_EQ(shared(plane.types[0], plane.types[other]), 1) << "order " << order;
    }
  }
}

TEST(Families, TypesShareTheStatedNumberOfSwitches) {
  for (const int redundancy : {1, 2, 3, 4}) {
    for (const Family& family : families(14, 60, redundancy)) {
      EXPECT_GE(family.shared, redundancy);
      EXPECT_LE(family.switches, 60);
      EXPECT_LE(family.rank(), 14U);
      expect_sound(family);
    }
  }
  for (const Family& family : small_families()) expect_sound(family);
}

// Nodes per port: 13/4 with the plane of order 3, 7/3 with the Fano plane, 3/2 with the triangle.
TEST(Families, AreSortedByNodesPerPort) {
  const auto four_nics = families(4, 13, 1);
  ASSERT_FALSE(four_nics.empty());
  EXPECT_EQ(four_nics.front().name, "projective plane of order 3");
  EXPECT_EQ(families(3, 7, 1).front().name, "projective plane of order 2");
}

TEST(Families, ReachTheMostNodesPerPort) {
  const auto expect_best = [](std::size_t nics, int switches) {
    const Family best = families(nics, switches, 1).front();
    const auto most = most_nodes_per_port(static_cast<long long>(nics), static_cast<std::size_t>(switches));
    ASSERT_TRUE(most);
    EXPECT_EQ(best.nodes * most->ports, best.ports * most->nodes) << best.name;
  };
  for (int switches = 14; switches <= 20; ++switches) expect_best(5, switches);
  for (int switches = 20; switches <= 23; ++switches) expect_best(6, switches);
}

TEST(Families, OfManySwitchesBlowUpToNearlyAsManyNodesAsDividedOnes) {
  for (int switches = 14; switches <= 29; ++switches) {
    const Family best = families(switches <= 21 ? 5 : 6, switches, 1).front();
    for (const int width : {16, 24, 32}) {
      const long long nodes = count_nodes(largest_blow_up(best, width));
      EXPECT_GE(nodes, most_nodes_of_family(best, width) - 3) << best.name << ", " << width;
      EXPECT_LE(nodes, most_nodes_of_family(best, width)) << best.name << ", " << width;
    }
  }
}

TEST(Families, DesignsFoundBySearchFitTheirSwitches) {
  EXPECT_GT(found_designs().size(), 20U);
  for (const Family& design : found_designs()) {
    expect_sound(design);
    const BlowUp blown = blow_up(design, design.nodes, widths_of(design));
    EXPECT_TRUE(blown.fits()) << design.name;
    EXPECT_EQ(blown.copies, design.copies) << design.name;
    const auto most = most_nodes(static_cast<long long>(design.rank()), widths_of(design).size(), design.ports);
    EXPECT_LE(design.nodes, most.value_or(design.nodes)) << design.name;
  }
}

// Also with fewer nodes, and on wider switches.
TEST(Families, DesignsFoundBySearchLoseNodes) {
  const Family& design = found_designs().front();
  EXPECT_TRUE(blow_up(design, design.nodes - 3, widths_of(design)).fits());
  EXPECT_EQ(most_nodes_of_family(design, design.ports + 1), design.nodes);
  EXPECT_EQ(most_nodes_of_family(design, design.ports - 1), 0);
}

// A design that another entry contains, or a family reaches, is not worth its line.
TEST(Families, DesignsFoundBySearchHaveMoreNodesThanAnyOtherFamily) {
  for (const Family& design : found_designs()) {
    for (const Family& other : families(design.rank(), design.switches, 1)) {
      if (other.name == design.name || most_nodes_of_family(other, design.ports) < design.nodes) continue;
      const std::vector<int> widths(static_cast<std::size_t>(other.switches), design.ports);
      EXPECT_FALSE(blow_up(other, design.nodes, widths).fits()) << design.name << ": " << other.name;
    }
  }
}

TEST(Families, ForTwoSharedSwitchesIncludeBiplanesAndDoubledPlanes) {
  std::set<std::string> names;
  for (const Family& family : families(6, 16, 2)) names.insert(family.name);
  for (const char* name : {"biplane of 7", "biplane of 11", "biplane of 16", "2 times projective plane of order 2",
                           "all but one of 4"}) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
}

}  // namespace
}  // namespace fnn::testing
