// SPDX-License-Identifier: GPL-3.0-or-later
// The plain genetic algorithm of the paper, kept as a baseline for ours; described at the head of classic.cc.
#pragma once

#include "search/islands.h"
#include "spec/spec.h"

namespace fnn {

/// Searches for coverage only, on one thread. Ends when every wanted pair is covered or the budget is spent.
Outcome search_classic(const Spec& spec, const Limits& limits, const Demand& demand, Random& random,
                       const Budget& budget, const Report& report);

}  // namespace fnn
