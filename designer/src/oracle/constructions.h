// SPDX-License-Identifier: GPL-3.0-or-later
// Constructions: wirings from algebra instead of search.
#pragma once

#include <string>
#include <vector>

#include "design/wiring.h"
#include "spec/demand.h"

namespace fnn {

/// Wirings within the limits for a universal demand, ordered by missing shares. The first one is valid whenever a
/// known family can be blown up to the nodes. The others, or all, may be near misses, useful as the start of a
/// search. NICs that a family does not use are plugged in as well. The result is deterministic.
std::vector<Wiring> construct(const Limits& limits, const Demand& demand);

/// The total number of shared switches that pairs of nodes lack of a demand.
long long missing_shares(const Wiring& wiring, const Demand& demand);

}  // namespace fnn
