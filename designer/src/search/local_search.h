// SPDX-License-Identifier: GPL-3.0-or-later
// Local search: simulated annealing on single moves. It is what makes the genetic algorithm
// memetic: every child learns before it competes.
#pragma once

#include <cstdint>

#include "base/random.h"
#include "search/homes.h"
#include "search/neighborhoods.h"
#include "search/operators.h"

namespace fnn {

/// Temperatures are in uncovered pairs: at 1.0 a move that loses one pair is made once in e.
struct Cooling {
  double start;
  double end;
  std::int64_t steps;
};

/// What a search strives for: coverage first; with homes, also cables kept in place.
struct Objective {
  const Homes* homes = nullptr;

  /// In quarters of an uncovered pair; a kept cable is worth one quarter.
  static constexpr int kPair = 4;
  static constexpr int kCable = 1;
};

/// Changes `now`, cooling down; stops early when every pair is covered and nothing else counts.
void anneal(Neighborhoods& now, const Movable& movable, const Objective& objective, const Cooling& cooling,
            Random& random);

}  // namespace fnn
