// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/incremental_wiring.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

#include "design/evaluation.h"
#include "support.h"

namespace fnn::testing {
namespace {

/// A random spec with racks, prices and redundancy, so that every goal applies.
Json demanding_spec(Random& random) {
  Json spec = random.one_in(5) ? plain_spec(70, 3, 9, 24) : random_spec(random);
  if (random.one_in(2)) spec["redundancy"] = 1 + random.below(3);
  for (Json& node : spec["nodes"]) node["rack"] = random.one_in(2) ? "here" : "there";
  for (Json& device : spec["switches"]) {
    device["rack"] = random.one_in(2) ? "here" : "there";
    device["price"] = random.below(100);
  }
  return spec;
}

Goals some_goals(Random& random) {
  const auto weight = [&] { return random.one_in(2) ? 0.0 : static_cast<double>(1 + random.below(8)) / 4; };
  return {weight(), weight(), weight(), weight(), weight(), weight()};
}

/// A random spec whose links have 1, 2.5 or 10 Gb/s, sometimes with two groups of ports of one medium on a switch.
Json spec_of_speeds(Random& random) {
  Json spec = random_spec(random);
  const auto speed = [&] { return std::array{1000, 2500, 10000}[random.below(3)]; };
  if (random.one_in(2)) spec["redundancy"] = 2;
  if (random.one_in(2)) spec["patterns"] = Json::parse(R"([{"kind": "ring", "weight": 3}])");
  if (spec.contains("patterns") && random.one_in(2)) spec["coverage"] = "patterns";
  for (Json& node : spec["nodes"]) {
    if (!node["nics"].is_array()) node["nics"] = Json(node["nics"].get<std::size_t>(), {{"media", "rj45"}});
    for (Json& nic : node["nics"]) nic["speed_mbps"] = speed();
  }
  for (Json& device : spec["switches"]) {
    if (!device["ports"].is_array()) device["ports"] = {{{"count", device["ports"]}, {"media", "rj45"}}};
    for (Json& group : device["ports"]) group["speed_mbps"] = speed();
    if (random.one_in(2)) device["ports"].push_back({{"count", 2}, {"media", "rj45"}, {"speed_mbps", 5000}});
  }
  return spec;
}

class RandomCase {
 public:
  /// With the speed goals, on a spec with ports of several speeds.
  explicit RandomCase(std::uint64_t seed)
      : random(seed),
        spec(read_spec(spec_of_speeds(random))),
        limits(spec, Grouping::kBySpeed),
        movable(limits),
        wiring(limits) {
    wiring.fill(random);
    objective.emplace(spec, limits, SpeedGoals{1 + static_cast<int>(random.below(12)), !random.one_in(3)});
  }

  explicit RandomCase(std::uint64_t seed, bool with_goals)
      : random(seed),
        spec(read_spec(demanding_spec(random))),
        limits(spec),
        movable(limits),
        wiring(limits) {
    wiring.fill(random);
    former_links.emplace(limits, cabled(links_of(wiring), {}, limits));
    objective.emplace(spec, limits, with_goals ? some_goals(random) : Goals{}, &*former_links);
  }

  Random random;
  Spec spec;
  Limits limits;
  Movable movable;
  Wiring wiring;
  std::optional<FormerLinks> former_links;
  std::optional<Objective> objective;
};

void expect_consistent(const IncrementalWiring& now, const char* kernel, std::uint64_t seed) {
  const Wiring wiring = now.wiring();
  const Evaluation found = evaluate(wiring, now.objective().demand());
  ASSERT_EQ(now.deficit(), found.deficit + now.objective().shortage(wiring)) << kernel << " seed " << seed;
  ASSERT_EQ(now.uncovered(), static_cast<int>(found.uncovered.size())) << kernel << " seed " << seed;
  ASSERT_EQ(now.cost(), now.objective().cost(wiring)) << kernel << " seed " << seed;
  ASSERT_EQ(broken_limit(wiring), "") << kernel << " seed " << seed;
}

template <typename... Arguments>
void expect_exact_deltas(Arguments... arguments) {
  const Kernels kernels = runnable_kernels();
  const auto seeds = static_cast<std::uint64_t>(cases(30, 90));
  std::set<Operator> made;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    RandomCase chance(seed, arguments...);
    const Kernel& kernel = *kernels.all[seed % static_cast<std::uint64_t>(kernels.count)];
    IncrementalWiring now(chance.wiring, *chance.objective, chance.movable, kernel);
    expect_consistent(now, kernel.name, seed);
    RngState rng = seed_rng(chance.random);
    for (int step = 0; step < 100; ++step) {
      const Operator kind = kOperators[chance.random.below(std::size(kOperators))];
      Move move{};
      if (!now.propose(kind, rng, move)) continue;
      now.make(move, now.evaluate_move(move));
      made.insert(kind);
      expect_consistent(now, kernel.name, seed);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
  EXPECT_EQ(made.size(), std::size(kOperators));
}

TEST(IncrementalWiringTest, MoveDeltasMatchTheEvaluatedWiring) { expect_exact_deltas(false); }

TEST(IncrementalWiringTest, GoalDeltasMatchTheEvaluatedWiring) { expect_exact_deltas(true); }

TEST(IncrementalWiringTest, DeltasOfSpeedGoalsMatchTheEvaluatedWiring) { expect_exact_deltas(); }

TEST(IncrementalWiringTest, AllKernelsAnnealToTheSameWiring) {
  const Kernels kernels = runnable_kernels();
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    RandomCase chance(seed, seed % 2 == 1);
    const RngState start = seed_rng(chance.random);
    std::vector<std::uint32_t> thresholds(4096);
    for (std::uint32_t i = 0; i < 4096; ++i) thresholds[i] = 40 * i;
    std::optional<Wiring> first;
    for (int k = 0; k < kernels.count; ++k) {
      IncrementalWiring now(chance.wiring, *chance.objective, chance.movable, *kernels.all[k]);
      RngState rng = start;
      TemperatureStage stage{2000, kShare / 2, kShare, thresholds.data(), nullptr, INT64_MIN, false};
      now.anneal(stage, rng);
      if (!first) first = now.wiring();
      EXPECT_TRUE(now.wiring() == *first) << kernels.all[k]->name << " seed " << seed;
    }
  }
}

TEST(IncrementalWiringTest, AllKernelsGiveTheSameDeltasForLongRows) {
  const Kernels kernels = runnable_kernels();
  for (const int nodes : {100, 200, 300, 600, 1100}) {  // rows of 2, 4, 8, 16 and 24 words
    const Limits limits(read_spec(plain_spec(nodes, 3, 7, nodes)));
    const Objective objective(Demand::universal(static_cast<std::size_t>(nodes)));
    const Movable movable(limits);
    Random random(1);
    Wiring wiring(limits);
    wiring.fill(random);
    std::vector<Move> moves;
    std::vector<std::int64_t> deficits;
    for (int k = 0; k < kernels.count; ++k) {
      const IncrementalWiring now(wiring, objective, movable, *kernels.all[k]);
      RngState rng{{1, 2, 3, 4}};
      Move move{};
      while (moves.size() < 200) {
        if (now.propose(Operator::exchange, rng, move)) moves.push_back(move);
      }
      for (std::size_t i = 0; i < moves.size(); ++i) {
        const Delta delta = now.evaluate_move(moves[i]);
        if (k == 0) deficits.push_back(delta.deficit);
        EXPECT_EQ(delta.deficit, deficits[i]) << kernels.all[k]->name << " with " << nodes << " nodes";
      }
    }
  }
}

class Operators : public ::testing::Test {
 protected:
  // n000 and n001 are on s00, n002 is on s01, which has a free port.
  Operators() : limits_(read_spec(plain_spec(3, 1, 2, 2))), wiring_(limits_) {
    wiring_.plug(0, 0);
    wiring_.plug(1, 0);
    wiring_.plug(2, 1);
  }

  /// Calls visit(move) for each move that an operator proposes in 200 tries.
  template <typename Visit>
  void propose(Operator kind, const std::vector<bool>& fixed, Visit visit) {
    const Movable movable(limits_, fixed);
    const IncrementalWiring now(wiring_, objective_, movable);
    for (int i = 0; i < 200; ++i) {
      Move move{};
      if (now.propose(kind, rng_, move)) visit(move);
    }
  }

  Limits limits_;
  Wiring wiring_;
  Objective objective_{Demand::universal(3)};
  RngState rng_{{1, 2, 3, 4}};
  std::vector<bool> none_{false, false, false};
};

TEST_F(Operators, RelocateUsesOnlyTheFreePort) {
  propose(Operator::relocate, none_, [](const Move& move) {
    EXPECT_NE(move.nic, 2);
    EXPECT_EQ(move.to, 1);
  });
}

TEST_F(Operators, ExchangeTakesNicsOfTwoSwitches) {
  propose(Operator::exchange, none_,
          [&](const Move& move) { EXPECT_NE(wiring_.group(move.nic), wiring_.group(move.other)); });
}

TEST_F(Operators, BridgeBringsAnUncoveredPairTogether) {
  std::set<int> movers;
  propose(Operator::bridge, none_, [&](const Move& move) {
    movers.insert(wiring_.node(move.nic));
    EXPECT_TRUE((wiring_.node(move.nic) == 2) != (wiring_.device_of(move.to) == 1))
        << "2 goes to s00, or another comes to s01";
  });
  EXPECT_EQ(movers, (std::set<int>{0, 1, 2}));
}

TEST_F(Operators, BridgeProposesNothingWhenAllPairsAreCovered) {
  const Limits pair(read_spec(plain_spec(2, 1, 1, 2)));
  Wiring together(pair);
  together.plug(0, 0);
  together.plug(1, 0);
  const Objective objective(Demand::universal(2));
  const Movable movable(pair);
  const IncrementalWiring now(together, objective, movable);
  Move move{};
  EXPECT_FALSE(now.propose(Operator::bridge, rng_, move));
}

TEST_F(Operators, FixedNicsAreNeverMoved) {
  for (const Operator kind : kOperators) {
    propose(kind, {true, false, false}, [](const Move& move) {
      EXPECT_NE(move.nic, 0);
      EXPECT_NE(move.other, 0);
    });
  }
}

}  // namespace
}  // namespace fnn::testing
