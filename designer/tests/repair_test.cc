// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/repair.h"

#include <gtest/gtest.h>

#include "design/evaluation.h"
#include "support.h"

namespace fnn::testing {
namespace {

constexpr std::int64_t kPlenty = 100000000;

/// A cabling from the switches of each node: NIC k leads to the k-th switch.
Cabling cabling_of(const std::vector<std::vector<int>>& sets) {
  Cabling cabling;
  for (const auto& set : sets) {
    cabling.emplace_back();
    for (std::size_t k = 0; k < set.size(); ++k) cabling.back().push_back({static_cast<int>(k), set[k]});
  }
  return cabling;
}

Standing standing_of(const Cabling& cabling, const Limits& limits, Cabling pinned = {}) {
  pinned.resize(cabling.size());
  return {cabling, std::move(pinned), Wiring(limits)};
}

/// The fewest moves, by iterative deepening; -1 when 12 do not suffice.
int fewest_moves(const Limits& limits, const Demand& demand, const Standing& standing) {
  Random random(1);
  for (int moves = 0; moves <= 12; ++moves) {
    const RepairResult repaired = repair(limits, demand, standing, moves, kPlenty, random);
    EXPECT_TRUE(repaired.proved);
    if (!repaired.wiring) continue;
    EXPECT_EQ(broken_limit(*repaired.wiring), "");
    EXPECT_TRUE(evaluate(*repaired.wiring, demand).uncovered.empty());
    const Links links = links_of(*repaired.wiring);
    EXPECT_EQ(count_cables(standing.cabling) - count_kept(cabled(links, standing.cables_to_keep(), limits),
                                                          standing.cabling),
              repaired.moved);
    return repaired.moved;
  }
  return -1;
}

/// The six nodes of the paper on red, blue and green, and further nodes without cables.
std::vector<std::vector<int>> six_and(std::size_t others) {
  std::vector<std::vector<int>> sets = {{0, 1}, {0, 1}, {0, 2}, {0, 2}, {1, 2}, {1, 2}};
  sets.resize(6 + others);
  return sets;
}

TEST(Repair, AddsASeventhNodeWithoutMovesWhenEverySwitchHasAFreePort) {
  const Spec spec = read_spec(plain_spec(7, 2, 3, 5));
  const Limits limits(spec);
  EXPECT_EQ(fewest_moves(limits, Demand(spec), standing_of(cabling_of(six_and(1)), limits)), 0);
}

TEST(Repair, MovesOneCableWhenTheOnlyFreePortsAreOnOneSwitch) {
  // Red has two free ports and the others none: a node on blue and green must release a port for the new
  // node, and its cable moves to red.
  Json document = plain_spec(7, 2, 3, 4);
  document["switches"][0]["ports"] = 6;
  const Spec spec = read_spec(document);
  const Limits limits(spec);
  EXPECT_EQ(fewest_moves(limits, Demand(spec), standing_of(cabling_of(six_and(1)), limits)), 1);
}

TEST(Repair, ProvesThatZeroMovesDoNotSuffice) {
  Json document = plain_spec(7, 2, 3, 4);
  document["switches"][0]["ports"] = 6;
  const Spec spec = read_spec(document);
  const Limits limits(spec);
  Random random(1);
  const RepairResult repaired = repair(limits, Demand(spec), standing_of(cabling_of(six_and(1)), limits), 0, kPlenty,
                                       random);
  EXPECT_FALSE(repaired.wiring);
  EXPECT_TRUE(repaired.proved);
}

TEST(Repair, MovesCablesBeyondThePortsOfASwitch) {
  // All five nodes were on a switch that now has three ports; the two other switches cover the pairs that it loses.
  Json document = plain_spec(5, 2, 3, 5);
  document["switches"][0]["ports"] = 3;
  const Spec spec = read_spec(document);
  const Limits limits(spec);
  EXPECT_EQ(fewest_moves(limits, Demand(spec), standing_of(cabling_of({{0}, {0}, {0}, {0}, {0}}), limits)), 2);
}

TEST(Repair, CountsTheCableThatAPinDisplaces) {
  // NIC 0 of node 0 is wired to red, and is now pinned to green.
  const Spec spec = read_spec(plain_spec(6, 2, 3, 6));
  const Limits limits(spec);
  Cabling pinned(6);
  pinned[0] = {{0, 2}};
  EXPECT_EQ(fewest_moves(limits, Demand(spec), standing_of(cabling_of(six_and(0)), limits, pinned)), 1);
}

// A reference for small clusters: exhaustive search over the set of switches of each node.

class ExhaustiveSearch {
 public:
  ExhaustiveSearch(int nodes, int switches, const std::vector<int>& ports, const Cabling& old)
      : ports_(ports), old_(old), sets_(static_cast<std::size_t>(nodes)) {
    for (int set = 1; set < 1 << switches; ++set) {
      if (count_bits(static_cast<Word>(set)) <= 2) choices_.push_back(set);
    }
  }

  int fewest_moves() {
    place(0, 0);
    return best_;
  }

 private:
  void place(std::size_t node, int moved) {
    if (moved >= best_) return;
    if (node == sets_.size()) {
      best_ = moved;
      return;
    }
    for (const int set : choices_) {
      bool good = true;
      for (std::size_t peer = 0; peer < node && good; ++peer) good = (sets_[peer] & set) != 0;
      for (std::size_t device = 0; device < ports_.size(); ++device) ports_[device] -= set >> device & 1;
      for (const int left : ports_) good = good && left >= 0;
      sets_[node] = set;
      if (good) place(node + 1, moved + leaving(node, set));
      for (std::size_t device = 0; device < ports_.size(); ++device) ports_[device] += set >> device & 1;
    }
  }

  int leaving(std::size_t node, int set) const {
    int count = 0;
    for (const Cable& cable : old_[node]) count += set >> cable.device & 1 ? 0 : 1;
    return count;
  }

  std::vector<int> ports_;
  const Cabling& old_;
  std::vector<int> sets_;
  std::vector<int> choices_;
  int best_ = 99;
};

TEST(Repair, MovesAsFewCablesAsExhaustiveSearch) {
  int with_moves = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Random random(seed);
    const int nodes = 4 + static_cast<int>(random.below(3));
    Json document = plain_spec(nodes, 2, 4, 1);
    std::vector<int> ports;
    for (Json& device : document["switches"]) {
      ports.push_back(2 + static_cast<int>(random.below(4)));
      device["ports"] = ports.back();
    }
    std::vector<std::vector<int>> sets(static_cast<std::size_t>(nodes));
    std::vector<int> room = ports;
    for (std::size_t node = 0; node + 1 < sets.size(); ++node) {
      for (int device = 0; device < 4 && sets[node].size() < 2; ++device) {
        if (random.one_in(2) && room[Limits::at(device)]-- > 0) sets[node].push_back(device);
      }
    }
    const Cabling old = cabling_of(sets);
    const Spec spec = read_spec(document);
    const Limits limits(spec);
    const int truth = ExhaustiveSearch(nodes, 4, ports, old).fewest_moves();
    const int moves = fewest_moves(limits, Demand(spec), standing_of(old, limits));
    EXPECT_EQ(moves, truth == 99 ? -1 : truth) << "seed " << seed;
    with_moves += moves > 0 ? 1 : 0;
  }
  EXPECT_GT(with_moves, 10);
}

}  // namespace
}  // namespace fnn::testing
