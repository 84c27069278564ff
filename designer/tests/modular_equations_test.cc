// SPDX-License-Identifier: GPL-3.0-or-later
#include "oracle/modular_equations.h"

#include <gtest/gtest.h>

namespace fnn::testing {
namespace {

ModularEquations system_of(std::uint64_t prime, const std::vector<std::vector<long long>>& equations) {
  ModularEquations system(equations.front().size() - 1, prime);
  for (const auto& equation : equations) system.add(equation);
  return system;
}

// x + y = 5, x - y = 1.
TEST(ModularEquations, HaveTheSolutionInIntegers) {
  for (const std::uint64_t prime : {7U, 2147483647U}) {
    ModularEquations system = system_of(prime, {{1, 1, 5}, {1, -1, 1}});
    EXPECT_TRUE(system.solve());
    ASSERT_TRUE(system.is_unique());
    EXPECT_EQ(system.value(0), 3);
    EXPECT_EQ(system.value(1), 2);
  }
}

// x + y = x + z = y + z = 3 has the solution 3/2.
TEST(ModularEquations, HaveNoSolutionModuloTwoOfHalves) {
  const std::vector<std::vector<long long>> halves = {{1, 1, 0, 3}, {1, 0, 1, 3}, {0, 1, 1, 3}};
  ModularEquations even = system_of(2, halves);
  EXPECT_FALSE(even.solve());
  ModularEquations large = system_of(2147483647, halves);
  EXPECT_TRUE(large.solve());
  ASSERT_TRUE(large.is_unique());
  EXPECT_EQ(large.value(0) * 2 % 2147483647, 3);
}

TEST(ModularEquations, MayHaveSeveralSolutions) {
  ModularEquations system = system_of(5, {{1, 1, 1, 4}, {2, 2, 2, 8}});
  EXPECT_TRUE(system.solve());
  EXPECT_FALSE(system.is_unique());
  ModularEquations contradiction = system_of(5, {{1, 1, 1, 4}, {2, 2, 2, 7}});
  EXPECT_FALSE(contradiction.solve());
}

}  // namespace
}  // namespace fnn::testing
