// SPDX-License-Identifier: GPL-3.0-or-later
// Decides by exhaustive search whether a design exists, for specs of a few nodes.
#pragma once

#include "design/port_limits.h"
#include "spec/demand.h"

namespace fnn::testing {

/// Tries every set of switches for every node.
bool design_exists(const Limits& limits, const Demand& demand);

}  // namespace fnn::testing
