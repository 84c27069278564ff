// SPDX-License-Identifier: GPL-3.0-or-later
// Rails (multi-rail): when a switch holds every node, all nodes on it form the best flat neighborhood.
#pragma once

#include <optional>

#include "design/wiring.h"

namespace fnn {

/// Puts every node on every switch that is wide enough for all, as far as NICs suffice; remaining NICs go to the
/// other switches. Nothing when no switch is wide enough.
std::optional<Wiring> lay_rails(const Wiring& start, Random& random);

}  // namespace fnn
