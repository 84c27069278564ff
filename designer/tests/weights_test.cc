// SPDX-License-Identifier: GPL-3.0-or-later
#include "routing/weights.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "evaluate/saturation.h"
#include "evaluate/worst_case.h"
#include "fabrics.h"
#include "routing/routes_document.h"
#include "routing/weight_descent.h"
#include "support.h"

namespace fnn::testing {
namespace {

using std::size_t;
using Vector = std::vector<int>;

Weights weights_for(const Fabric& fabric) { return choose_weights(fabric.legs, fabric.inside_mbps); }

/// All pairs at once, both directions.
Saturation saturate_all(const Fabric& fabric, const Weights& weights) {
  std::vector<DemandedFlow> flows;
  for (std::uint16_t a = 0; a < fabric.nodes(); ++a) {
    for (std::uint16_t b = 0; b < fabric.nodes(); ++b) {
      if (a != b) flows.push_back({{a, b}, 1});
    }
  }
  return *saturate(fabric, choice_for(fabric), weights, flows, true);
}

double share_of_optimum(const Fabric& fabric) {
  const Saturation found = saturate_all(fabric, weights_for(fabric));
  return found.weighted / found.best_high;
}

TEST(Weights, AreOneToThreeInTheExample) {
  const Fabric fabric = fabric_on({{0, 1}, {0, 2}, {0, 2}, {0, 2}, {0, 2}, {0, 2}, {0, 2}, {0, 1}});
  const Weights weights = weights_for(fabric);
  // At most 6 / 0.96 = 6.25 peers on red: 1/4 of a peer is the largest such part with a small denominator.
  EXPECT_EQ(weights.of(0, 7), (Vector{1, 3}));
  EXPECT_EQ(weights.of(7, 0), (Vector{1, 3}));
  EXPECT_EQ(weights.of(0, 1), Vector{});
  const Saturation found = saturate_all(fabric, weights);
  EXPECT_NEAR(found.advanced, 1 / 6.5, 1e-9);
  EXPECT_NEAR(found.weighted, 4.0 / 25, 1e-9);
}

TEST(Weights, AreEqualWhereEqualPartsAreGoodEnough) {
  EXPECT_EQ(weights_for(fabric_on({{0, 1}, {0, 1}, {0, 1}})).table().size(), 1U);
  EXPECT_EQ(weights_for(fabric_on({{0}, {0}, {1}})).table().size(), 1U);
}

TEST(Weights, AreInProportionToSpeeds) {
  Fabric fabric = fabric_on({{0, 1}, {0, 1}, {0, 1}});
  for (auto& of_node : fabric.legs) of_node[1].mbps = 2500;
  EXPECT_EQ(weights_for(fabric).of(0, 1), (Vector{2, 5}));
  // The slower end of a path counts.
  fabric.legs[0][1].mbps = 10000;
  EXPECT_EQ(weights_for(fabric).of(0, 1), (Vector{2, 5}));
}

TEST(Weights, OfVeryDifferentSpeedsAreThoseThatLinuxTakes) {
  Fabric fabric = fabric_on({{0, 1}, {0, 1}}, 10);
  for (auto& of_node : fabric.legs) of_node[1].mbps = 400000;
  EXPECT_EQ(weights_for(fabric).of(0, 1), (Vector{1, 255}));
}

TEST(Weights, AvoidAnOversubscribedSwitch) {
  // Both switches hold all four nodes; red has the capacity of one link, blue of all four.
  Fabric fabric = fabric_on({{0, 1}, {0, 1}, {0, 1}, {0, 1}});
  fabric.inside_mbps[0] = 1000;
  const Saturation found = saturate_all(fabric, weights_for(fabric));
  EXPECT_GE(found.weighted, 0.955 * found.best_high);
  EXPECT_LT(found.advanced, 0.5 * found.best_high);
}

TEST(Weights, ServeThePatternsOfTheSpecAsWell) {
  // Node 0 talks to 1 and 2 over red, and to 7 over red and blue. At most 2 / 0.96 flows may be on its link to red, so
  // 1/12 of those to 7.
  const Fabric fabric = fabric_on({{0, 1}, {0, 2}, {0, 2}, {0, 2}, {0, 2}, {0, 2}, {0, 2}, {0, 1}});
  const OwnPattern busy{"pairs", {{0, 1, 1}, {0, 2, 1}, {0, 7, 1}}};
  const Vector weights = choose_weights(fabric.legs, fabric.inside_mbps, {busy}).of(0, 7);
  ASSERT_EQ(weights.size(), 2U);
  EXPECT_GE(weights[1], 11 * weights[0]);
  EXPECT_EQ(choose_weights(fabric.legs, fabric.inside_mbps, {{"pairs", {}}}).of(0, 7), (Vector{1, 3}));
}

TEST(Weights, ReachTheOptimumOfEveryPatternOfKasy0) {
  const Design design = committed("kasy0");
  const Fabric fabric = fabric_of(design);
  const Weights weights = choose_weights(fabric.legs, fabric.inside_mbps, own_traffic(design.spec));
  const Json measured = worst_case(fabric, choice_for(fabric), weights, design.spec);
  EXPECT_EQ(measured["patterns"].size(), 7U);
  EXPECT_GE(measured["ratio"]["weighted"].get<double>(), 0.95);
  EXPECT_LT(measured["ratio"]["advanced"].get<double>(), 0.9);
}

TEST(Weights, ReachTheOptimumOfEveryCommittedDesign) {
  for (const char* inventory : {"lab", "machines", "eight", "example", "example-small", "sixteen", "klat2", "klat2-lean",
                                "kasy0", "two-networks", "homelab16/ports8", "homelab16/ports8-uplink",
                                "homelab16/ports16", "homelab16/ports16-uplink"}) {
    EXPECT_GE(share_of_optimum(fabric_of(committed(inventory))), 0.955) << inventory;
  }
}

TEST(Weights, ReachTheOptimumWithDifferentSpeeds) {
  for (const char* inventory : {"sixteen", "klat2", "homelab16/ports8-uplink"}) {
    Fabric fabric = fabric_of(committed(inventory));
    for (size_t node = 0; node < fabric.nodes(); node += 3) {
      for (Leg& leg : fabric.legs[node]) leg.mbps *= 10;
    }
    EXPECT_GE(share_of_optimum(fabric), 0.955) << inventory << ", each third node faster";
    for (auto& of_node : fabric.legs) of_node.front().mbps *= 4;
    EXPECT_GE(share_of_optimum(fabric), 0.955) << inventory << ", and the first link of each node";
  }
}

/// The guaranteed throughput of the worst-case permutation.
double worst_permutation(const Json& measured, const char* routing) {
  return measured["permutation"].is_null() ? 0 : measured["permutation"][routing]["value"].get<double>();
}

TEST(Weights, OfRandomFabricsAreValidAndNoWorseThanEqualParts) {
  Random random(1);
  const Spec spec = read_spec(plain_spec(2, 1, 1, 2));
  double least = 1;
  for (int round = 0; round < 60; ++round) {
    const Fabric fabric = random_fabric(random);
    const Weights weights = weights_for(fabric);
    for (size_t a = 0; a < fabric.nodes(); ++a) {
      for (size_t b = 0; b < fabric.nodes(); ++b) {
        const Vector& of_pair = weights.of(a, b);
        EXPECT_EQ(of_pair, weights.of(b, a));
        if (of_pair.empty()) continue;
        EXPECT_EQ(of_pair.size(), shared_legs(fabric.legs[a], fabric.legs[b]).size());
        EXPECT_GE(*std::min_element(of_pair.begin(), of_pair.end()), 1);
        EXPECT_LE(*std::max_element(of_pair.begin(), of_pair.end()), kLargestSum);
        EXPECT_EQ(std::accumulate(of_pair.begin(), of_pair.end(), 0, [](int x, int y) { return std::gcd(x, y); }), 1);
      }
    }
    EXPECT_TRUE(std::is_sorted(weights.table().begin(), weights.table().end()));
    const Json measured = worst_case(fabric, choice_for(fabric), weights, spec);
    EXPECT_GE(worst_permutation(measured, "weighted"), worst_permutation(measured, "advanced") - 1e-9) << round;
    if (measured["permutation"].is_null()) continue;
    const Saturation found = saturate_all(fabric, weights);
    least = std::min(least, found.weighted / found.best_high);
    EXPECT_GE(found.weighted, 0.999 * found.advanced) << round;
  }
  EXPECT_GE(least, 0.95);
}

TEST(Weights, AreTheSameEachTime) {
  const Fabric fabric = fabric_of(committed("klat2"));
  const Weights once = weights_for(fabric);
  const Weights again = weights_for(fabric);
  EXPECT_EQ(once.table(), again.table());
  for (size_t a = 0; a < fabric.nodes(); ++a) {
    for (size_t b = 0; b < fabric.nodes(); ++b) EXPECT_EQ(once.entry(a, b), again.entry(a, b));
  }
}

int largest_sum(const Weights& weights) {
  int most = 0;
  for (const Vector& each : weights.table()) most = std::max(most, std::accumulate(each.begin(), each.end(), 0));
  return most;
}

TEST(Weights, OfKlat2AreSmall) { EXPECT_LE(largest_sum(weights_for(fabric_of(committed("klat2")))), 32); }

TEST(Weights, AreSmallerThanTheFinePartsOfTheDescent) {
  // Here the descent ends with sums of 256. If the first pairs could use up all room, the others would keep theirs.
  EXPECT_LE(largest_sum(weights_for(fabric_of(committed("homelab16/ports16-uplink")))), 128);
}

TEST(Weights, LeaveEachPairWhatTheWorstPermutationGuarantees) {
  // All-to-all alone would put more than half of the flows of some pairs on one switch.
  const Design design = committed("homelab16/ports16-uplink");
  const Fabric fabric = fabric_of(design);
  const Json measured = worst_case(fabric, choice_for(fabric), weights_for(fabric), design.spec);
  EXPECT_EQ(worst_permutation(measured, "weighted"), worst_permutation(measured, "advanced"));
}

TEST(WeightDescent, TheBoundHoldsForRandomDivisions) {
  Random random(2);
  for (int round = 0; round < 100; ++round) {
    const size_t edges = 2 + random.below(12);
    std::vector<double> capacity;
    for (size_t edge = 0; edge < edges; ++edge) capacity.push_back(random.one_in(3) ? 10 : 1);
    WeightDescent descent(capacity);
    std::vector<std::vector<WeightedPath>> demands(1 + random.below(20));
    for (auto& paths : demands) {
      for (size_t path = 1 + random.below(4); path > 0; --path) {
        const auto first = static_cast<std::uint32_t>(random.below(edges));
        const auto second = static_cast<std::uint32_t>(random.below(edges));
        std::vector<EdgeLoad> loads = {{first, random.one_in(2) ? 1.5 : 1.0}};
        if (second != first) loads.push_back({second, 1});
        paths.push_back({loads, 1, 1});
      }
      descent.add(paths);
    }
    const double bound = descent.lower_bound(0.99);
    EXPECT_GT(bound, 0);
    for (int draw = 0; draw < 50; ++draw) {
      WeightDescent drawn(capacity);
      for (const auto& paths : demands) drawn.add({paths[random.below(paths.size())]});
      EXPECT_GE(drawn.largest(), bound * (1 - 1e-9)) << "round " << round;
    }
    // No weight is 0: up to 3/256 of each demand, of 1.5 at most, stays on every edge of its paths.
    const double kept = 1.5 * 3 / 256 * static_cast<double>(demands.size());
    descent.descend(bound / 0.9, 256);
    EXPECT_LE(descent.largest(), bound / 0.9 + kept) << "round " << round;
  }
}

TEST(RoutesDocument, HasTheWeightsOfEachPair) {
  const Design design = committed("klat2");
  const Fabric fabric = fabric_of(design);
  const Weights weights = choose_weights(fabric.legs, fabric.inside_mbps, own_traffic(design.spec));
  const Json routes = routes_document(design, 1);
  const size_t digits = routes["weights"][0]["code"].get<std::string>().size();
  std::map<std::string, Vector> of_code = {{std::string(digits, '='), {}}, {std::string(digits, '.'), {}}};
  for (const Json& each : routes["weights"]) of_code[each["code"].get<std::string>()] = each["weights"].get<Vector>();
  for (size_t a = 0; a < fabric.nodes(); ++a) {
    const auto row = routes["nodes"][a]["weight_row"].get<std::string>();
    ASSERT_EQ(row.size(), digits * fabric.nodes());
    for (size_t b = 0; b < fabric.nodes(); ++b) EXPECT_EQ(of_code.at(row.substr(b * digits, digits)), weights.of(a, b));
  }
  EXPECT_FALSE(routes_document(committed("lab"), 1)["nodes"][0].contains("weight_row"));
}

}  // namespace
}  // namespace fnn::testing
