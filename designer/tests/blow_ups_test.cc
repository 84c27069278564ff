// SPDX-License-Identifier: GPL-3.0-or-later
#include "oracle/blow_ups.h"

#include <gtest/gtest.h>

#include <numeric>

#include "base/random.h"

namespace fnn::testing {
namespace {

std::vector<int> loads(const Family& family, const BlowUp& blown) {
  std::vector<int> loads(static_cast<std::size_t>(family.switches), 0);
  for (std::size_t type = 0; type < family.types.size(); ++type) {
    EXPECT_GE(blown.copies[type], 0);
    for (const int device : family.types[type]) loads[static_cast<std::size_t>(device)] += blown.copies[type];
  }
  return loads;
}

void expect_within(const Family& family, const BlowUp& blown, const std::vector<int>& widths) {
  const auto full = loads(family, blown);
  for (std::size_t j = 0; j < widths.size(); ++j) EXPECT_LE(full[j], widths[j]) << family.name;
}

// The table in designs.md: nodes, NICs, and the fewest ports that a plane needs.
TEST(BlowUp, FindsTheFewestPortsOfTheTable) {
  const int table[][3] = {{64, 2, 43}, {64, 3, 28},  {64, 4, 20},   {66, 5, 17},   {96, 5, 24},    {128, 3, 56},
                          {128, 4, 40}, {256, 5, 62}, {512, 5, 123}, {1024, 3, 440}, {1024, 4, 316}, {1024, 5, 244}};
  for (const auto& [nodes, nics, ports] : table) {
    EXPECT_EQ(fewest_ports(projective_plane(nics - 1), nodes), ports) << nodes << " nodes, " << nics << " NICs";
  }
}

TEST(BlowUp, OfAPlaneReachesTheBoundAtEveryWidthBeyondTheOrder) {
  for (const int order : {1, 2, 3, 4, 5, 7}) {
    const Family plane = projective_plane(order);
    for (int width = order + 1; width < 12 * order; ++width) {
      const BlowUp largest = largest_blow_up(plane, width);
      EXPECT_EQ(count_nodes(largest), most_nodes_of_plane(order, width)) << "order " << order << " width " << width;
      expect_within(plane, largest, std::vector<int>(static_cast<std::size_t>(plane.switches), width));
    }
  }
}

// Fano plane, 28 ports: 7 * 28 / 3 = 65.3, but 65 nodes put 10 on one type, and 65 + 2 * 10 = 85 > 3 * 28.
TEST(BlowUp, BoundOfThePlaneIsSharperThanTheRatio) { EXPECT_EQ(most_nodes_of_plane(2, 28), 64); }

TEST(BlowUp, FitsSwitchesOfDifferentWidths) {
  const Family plane = projective_plane(3);
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Random random(seed);
    std::vector<int> widths;
    for (int j = 0; j < plane.switches; ++j) widths.push_back(40 + static_cast<int>(random.below(6)));
    const int ports = std::accumulate(widths.begin(), widths.end(), 0);
    const BlowUp blown = blow_up(plane, (ports - 13) / 4, widths);
    EXPECT_TRUE(blown.fits()) << "seed " << seed << ": " << blown.excess;
    EXPECT_EQ(count_nodes(blown), (ports - 13) / 4);
    expect_within(plane, blown, widths);
  }
}

TEST(BlowUp, ReportsTheExcessWhenNodesDoNotFit) {
  const Family triangle = projective_plane(1);
  EXPECT_TRUE(blow_up(triangle, 6, {4, 4, 4}).fits());
  EXPECT_EQ(blow_up(triangle, 7, {4, 4, 4}).excess, 2);
}

TEST(BlowUp, OfACompleteGraphReachesItsCapacity) {
  const Family graph = complete_graph(4);
  EXPECT_EQ(count_nodes(largest_blow_up(graph, 32)), 64);
}

}  // namespace
}  // namespace fnn::testing
