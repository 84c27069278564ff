// SPDX-License-Identifier: GPL-3.0-or-later
// Crossover: a child that takes closed sets of connections from its second parent.
#pragma once

#include "base/random.h"
#include "design/wiring.h"

namespace fnn {

/// The child is within the limits for any two parents.
Wiring cross(const Wiring& mother, const Wiring& father, Random& random);

}  // namespace fnn
