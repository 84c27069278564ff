// SPDX-License-Identifier: GPL-3.0-or-later
// All-to-all personalized communication in phases: in phase l node i sends to i + l, and nobody begins the next before
// all are done.
#pragma once

#include "evaluate/route_loads.h"

namespace fnn {

/// Per routing {"minima", "time", "histogram"}: the least bandwidth of each phase in links, the sum of their inverses
/// (a message of one second at one link makes that many seconds; null when a phase has a pair that shares no switch),
/// and how many of all routes get which bandwidth in their phase.
Json all_to_all(const Fabric& fabric, const Choice& choice);

}  // namespace fnn
