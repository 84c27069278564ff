// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/genetic.h"

#include <gtest/gtest.h>

#include <atomic>

#include "search/islands.h"
#include "search/wiring_text.h"
#include "support.h"

namespace fnn::testing {
namespace {

Budget some_generations(std::int64_t generations, std::size_t threads = 1) {
  return {std::chrono::steady_clock::now() + std::chrono::hours(1), generations, threads};
}

Outcome search(const Limits& limits, const GeneticSettings& settings, std::uint64_t seed, const Budget& budget) {
  const Movable movable(limits);
  const Objective objective(Demand::universal(Limits::at(limits.node_count())));
  return search_islands(limits, movable, objective, {}, settings, seed, budget, [](std::int64_t, const Individual&) {});
}

TEST(GeneticTest, SolvesThePapersClustersInFewGenerations) {
  for (const char* name : {"six.json", "eight.json", "klat2.json"}) {
    const Limits limits(read_spec(data(name)));
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const Outcome outcome = search(limits, {}, seed, some_generations(20));
      EXPECT_TRUE(outcome.finished) << name << " seed " << seed;
      EXPECT_EQ(broken_limit(outcome.best.wiring), "");
    }
  }
}

TEST(GeneticTest, TheDeadlineLimitsTheFirstPopulation) {
  const Limits limits(read_spec(data("klat2.json")));
  const Movable movable(limits);
  const Objective objective(Demand::universal(Limits::at(limits.node_count())));
  GeneticSettings late;
  late.deadline = std::chrono::steady_clock::now();
  EXPECT_EQ(Genetic(limits, movable, objective, {}, late, 1).save()["population"].size(), 1U) << "there must be one";
  EXPECT_EQ(Genetic(limits, movable, objective, {}, {}, 1).save()["population"].size(), late.population);
}

TEST(GeneticTest, CrossoverAndRareMutationSolveSmallSpecs) {
  // 64 steps of local search, one per temperature, act as a mutation rather than as a search.
  GeneticSettings plain;
  plain.population = 24;
  plain.first_effort = 64;
  plain.last_effort = 64;
  for (const char* name : {"six.json", "eight.json"}) {
    const Limits limits(read_spec(data(name)));
    EXPECT_TRUE(search(limits, plain, 1, some_generations(300)).finished) << name;
  }
}

TEST(GeneticTest, EveryIndividualOfEveryGenerationIsWithinTheLimits) {
  constexpr std::size_t kGenerations = 5;
  GeneticSettings brief;
  brief.first_effort = 200;
  brief.last_effort = 200;
  const std::atomic<bool> cancelled{false};
  std::size_t individuals = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Random random(seed);
    const Limits limits(read_spec(random_spec(random)));
    const Movable movable(limits);
    const Objective objective(Demand::universal(Limits::at(limits.node_count())));
    Genetic genetic(limits, movable, objective, {}, brief, seed);
    for (std::size_t generation = 0; generation < kGenerations; ++generation) {
      genetic.advance(cancelled);
      const Json population = genetic.save()["population"];
      for (const Json& text : population) {
        const auto wiring = read_wiring(text.get<std::string>(), limits);
        ASSERT_TRUE(wiring) << "seed " << seed << ": " << text;
        EXPECT_EQ(broken_limit(*wiring), "") << "seed " << seed;
        ++individuals;
      }
    }
  }
  EXPECT_EQ(individuals, 30 * kGenerations * brief.population);
}

TEST(GeneticTest, TheBestNeverGetsWorse) {
  const Limits limits(read_spec(plain_spec(64, 4, 8, 26)));
  int before = 64 * 63;
  for (std::int64_t generations = 1; generations < 6; ++generations) {
    const int now = search(limits, {}, 1, some_generations(generations)).best.uncovered;
    EXPECT_LE(now, before);
    before = now;
  }
}

// No design of 28 nodes on 20 switches of 7 ports is known.
TEST(GeneticTest, ALongSearchMeasuresTheCriticalTemperatureAndRestoresIt) {
  const Limits limits(read_spec(plain_spec(28, 5, 20, 7)));
  const Movable movable(limits);
  const Objective objective(Demand::universal(28));
  GeneticSettings settings;
  settings.first_effort = 4000;
  settings.long_effort = 1;
  const std::atomic<bool> cancelled{false};
  Genetic search(limits, movable, objective, {}, settings, 1);
  EXPECT_EQ(search.save()["critical"], 0);
  for (int generation = 0; generation < 8; ++generation) search.advance(cancelled);
  const Json state = search.save();
  EXPECT_GT(state["critical"], 0.3);
  EXPECT_LT(state["critical"], 0.7);
  Genetic resumed(limits, movable, objective, {}, settings, 2);
  ASSERT_TRUE(resumed.load(state));
  search.advance(cancelled);
  resumed.advance(cancelled);
  EXPECT_EQ(search.save(), resumed.save());
}

TEST(GeneticTest, ContinuesForTheGoalsAfterCoverage) {
  const Spec spec = read_spec(data("klat2.json"));
  const Limits limits(spec);
  const Movable movable(limits);
  std::vector<WeightedPair> ring;
  for (int node = 0; node + 1 < limits.node_count(); ++node) ring.push_back({node, node + 1, 1.0});
  Goals goals;
  goals.shared_switches = 1;
  const Objective objective(spec, limits, Demand(spec), ring, goals, nullptr);
  GeneticSettings settings;
  settings.goal_effort = 8000;
  const auto cost_after = [&](std::int64_t generations) {
    settings.goal_generations = generations;
    const Outcome outcome = search_islands(limits, movable, objective, {}, settings, 1, some_generations(40),
                                           [](std::int64_t, const Individual&) {});
    EXPECT_EQ(outcome.best.deficit, 0);
    return outcome.best.cost;
  };
  EXPECT_LT(cost_after(6), cost_after(0));
}

TEST(Islands, TheThreadsDoNotChangeTheResult) {
  for (const char* name : {"plane64.json", "klat2.json"}) {
    const Limits limits(read_spec(data(name)));
    const Outcome one = search(limits, {}, 3, some_generations(30, 1));
    for (const std::size_t threads : {2U, 4U}) {
      const Outcome other = search(limits, {}, 3, some_generations(30, threads));
      EXPECT_TRUE(one.best.wiring == other.best.wiring) << name << " with " << threads << " threads";
      EXPECT_EQ(one.generations, other.generations);
    }
  }
}

TEST(Islands, ASearchLimitedByStepsDoesNotDependOnTheThreads) {
  const Limits limits(read_spec(plain_spec(64, 4, 8, 26)));
  const Outcome one = search(limits, {}, 3, some_generations(3, 1));
  const Outcome two = search(limits, {}, 3, some_generations(3, 2));
  EXPECT_FALSE(one.finished);
  EXPECT_EQ(one.generations, 3);
  EXPECT_TRUE(one.best.wiring == two.best.wiring);
}

TEST(Islands, OneGenerationRunsEvenWithoutTime) {
  const Limits limits(read_spec(data("six.json")));
  const Budget none{std::chrono::steady_clock::now(), std::nullopt, 1};
  EXPECT_EQ(search(limits, {}, 1, none).generations, 1);
}

}  // namespace
}  // namespace fnn::testing
