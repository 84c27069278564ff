// SPDX-License-Identifier: GPL-3.0-or-later
// Local search: simulated annealing on single moves. It is what makes the genetic algorithm
// memetic: every child learns before it competes.
#pragma once

#include <cstdint>
#include <functional>

#include "base/random.h"
#include "search/neighborhoods.h"

namespace fnn {

/// Temperatures are in shares (search/objective.h): at 1.0 a move that costs one is made once in e.
struct Cooling {
  double start;
  double end;
  std::int64_t steps;
  double lack = 1.0;  ///< what a missing shared switch costs, in shares
};

/// Cools down, and stops early when nothing is lacking and there are no goals. With goals it ends on
/// the cheapest wiring that lacks nothing, if it came past one. `is_over` is asked now and then whether
/// time is up.
Wiring anneal(const Wiring& start, const Objective& objective, const Movable& movable, const Cooling& cooling,
              Random& random, const std::function<bool()>& is_over = [] { return false; });

}  // namespace fnn
