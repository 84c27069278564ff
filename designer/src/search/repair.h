// SPDX-License-Identifier: GPL-3.0-or-later
// Repair (branch and bound): the fewest standing cables that must move so that a demand is met;
// described at the head of repair.cc.
#pragma once

#include <cstdint>
#include <optional>

#include "base/random.h"
#include "design/standing.h"
#include "spec/demand.h"

namespace fnn {

struct RepairResult {
  std::optional<Wiring> wiring;  ///< meets the demand, when one was found
  int moved = 0;                 ///< standing cables that are not in it
  bool proved = false;           ///< without a wiring: whether it is proved that none exists
};

/// Searches for a wiring that meets the demand and moves at most `moves` of the standing cables.
/// `effort` limits the work, in examined choices.
RepairResult repair(const Limits& limits, const Demand& demand, const Standing& standing, int moves,
                    std::int64_t effort,
                    Random& random);

}  // namespace fnn
