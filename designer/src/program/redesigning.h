// SPDX-License-Identifier: GPL-3.0-or-later
// Redesigning: from a spec and a standing design to a cabling that keeps most of its cables.
#pragma once

#include "program/search_run.h"

namespace fnn {

/// Stays close to the old design. A kept cable is worth `weight`, as in the goal `moved_cables`. Without
/// a weight, a design that meets the demand and moves nothing is good enough.
Designed redesign_near(SearchRun& run, const Design& old, std::optional<double> weight);

/// Moves no cable of the old design when that is possible, else as few as it can.
Designed grow(SearchRun& run, const Design& old);

}  // namespace fnn
