// SPDX-License-Identifier: GPL-3.0-or-later
// All-to-all personalized communication in phases: in phase l, node i sends to node i + l. A barrier separates the
// phases.
#pragma once

#include "evaluate/route_loads.h"

namespace fnn {

/// Per routing {"minima", "time", "histogram"}. `minima` is the least bandwidth of each phase, in links. `time` is
/// the sum of their inverses: how many seconds messages take that each need one second at one link; null when a phase
/// has a pair without a shared switch. `histogram` counts all routes by their bandwidth in their phase.
Json all_to_all(const Fabric& fabric, const Choice& choice);

}  // namespace fnn
