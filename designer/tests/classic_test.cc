// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/classic.h"

#include <gtest/gtest.h>

#include "design/evaluation.h"
#include "support.h"

namespace fnn::testing {
namespace {

Outcome search(const Spec& spec, const Limits& limits, std::int64_t generations) {
  Random random(1);
  Budget budget;
  budget.deadline = std::chrono::steady_clock::now() + std::chrono::hours(1);
  budget.generations = generations;
  return search_classic(spec, limits, Demand(spec), random, budget, [](std::int64_t, const Individual&) {});
}

TEST(Classic, FindsTheExampleOfThePaper) {
  const Spec spec = read_spec(plain_spec(6, 2, 3, 4));
  const Limits limits(spec);
  const Outcome outcome = search(spec, limits, 1000);
  EXPECT_TRUE(outcome.finished);
  EXPECT_EQ(evaluate(outcome.best.wiring, Demand(spec)).deficit, 0);
}

TEST(Classic, ScalesTheSolutionOfTheHalvedProblemBack) {
  // The search first solves eight nodes on half of the ports, then duplicates each node on the same switches.
  const Spec spec = read_spec(plain_spec(16, 3, 7, 8));
  const Limits limits(spec);
  const Outcome outcome = search(spec, limits, 1000);
  EXPECT_TRUE(outcome.finished);
  EXPECT_EQ(broken_limit(outcome.best.wiring), "");
}

TEST(Classic, StopsAfterItsGenerationsAndReportsUncoveredPairs) {
  const Spec spec = read_spec(open_spec());
  const Limits limits(spec);
  const Outcome outcome = search(spec, limits, 3);
  EXPECT_FALSE(outcome.finished);
  EXPECT_LE(outcome.generations, 3);
  EXPECT_EQ(outcome.best.uncovered, static_cast<int>(evaluate(outcome.best.wiring, Demand(spec)).uncovered.size()));
  EXPECT_EQ(broken_limit(outcome.best.wiring), "");
}

}  // namespace
}  // namespace fnn::testing
