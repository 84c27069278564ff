// SPDX-License-Identifier: GPL-3.0-or-later
// Checking a design of a topology that the spec determines, from its document alone.
//
// The check is independent of topology_design.h: it accepts every wiring of the required form, such as a ring in another
// order, and computes the segments from the cables.
#pragma once

#include "design/design_reading.h"

namespace fnn {

/// All problems of the design, in document order.
std::vector<Problem> check_topology_design(const Design& design);

}  // namespace fnn
