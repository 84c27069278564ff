// SPDX-License-Identifier: GPL-3.0-or-later
// Rails: when a switch holds every node, that is the best flat neighborhood there is.
#pragma once

#include <optional>

#include "design/wiring.h"

namespace fnn {

/// Every node on every switch that is wide enough for all, as far as NICs reach; what NICs are left
/// go to the other switches. Nothing when no switch is wide enough.
std::optional<Wiring> lay_rails(const Wiring& start, Random& random);

}  // namespace fnn
