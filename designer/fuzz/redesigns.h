// SPDX-License-Identifier: GPL-3.0-or-later
// Redesigns of a small flat neighborhood network, as `design --near` and `--grow` make them.
#pragma once

#include "design/design_reading.h"

namespace fnn::fuzzing {

/// Redesigns a design without violations for the same spec, for one node fewer or more, and for one switch fewer. Aborts
/// if a result is invalid, if it moves fewer cables than the proved minimum, or if growth moves a cable of a complete
/// design for the same spec.
void redesign(const Design& old);

}  // namespace fnn::fuzzing
