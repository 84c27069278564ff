// SPDX-License-Identifier: GPL-3.0-or-later
// Local search: simulated annealing on single moves. It makes the genetic algorithm memetic: every
// child is improved before it competes.
#pragma once

#include <cstdint>
#include <functional>

#include "base/random.h"
#include "search/incremental_wiring.h"

namespace fnn {

/// Temperatures are in shares (search/objective.h): at 1.0 a move that costs one share is accepted with
/// probability 1/e.
struct Cooling {
  double start;
  double end;
  std::int64_t steps;
  double missing_penalty = 1.0;  ///< the penalty of a missing shared switch, in shares
};

/// Runs the cooling schedule. Without goals it stops as soon as every pair is covered. With goals it
/// returns the cheapest wiring without deficit, if it visited one. It polls `must_stop` to see whether
/// time is up.
Wiring anneal(const Wiring& start, const Objective& objective, const Movable& movable, const Cooling& cooling,
              Random& random, const std::function<bool()>& must_stop = [] { return false; });

/// Where a wiring changes from disorder to the structure of a design while it cools.
struct CriticalPoint {
  double temperature;  ///< at which the deficit falls most steeply; 0 when the run ended before the last temperature
  Wiring wiring;       ///< at the end of the run
};

/// Runs the cooling schedule for coverage alone and measures the deficit at each temperature.
CriticalPoint find_critical_point(const Wiring& start, const Objective& objective, const Movable& movable,
                                  const Cooling& cooling, Random& random,
                                  const std::function<bool()>& must_stop = [] { return false; });

}  // namespace fnn
