// SPDX-License-Identifier: GPL-3.0-or-later
// Constructions: wirings by algebra instead of search.
#pragma once

#include <string>
#include <vector>

#include "design/wiring.h"
#include "spec/demand.h"

namespace fnn {

/// Wirings within the limits for a universal demand, the fewest missing shares first. The first one
/// is valid whenever a known family can be blown up to the nodes; the rest, or all, may be near misses,
/// good to start a search from. NICs that a family leaves over are plugged in, too. Always the same
/// for the same limits.
std::vector<Wiring> construct(const Limits& limits, const Demand& demand);

/// Shared switches that pairs of nodes lack of a demand, all together.
long long missing_shares(const Wiring& wiring, const Demand& demand);

}  // namespace fnn
