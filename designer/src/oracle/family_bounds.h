// SPDX-License-Identifier: GPL-3.0-or-later
// Bounds from theorems on intersecting families of sets; the essay is in family_bounds.cc.
#pragma once

#include <vector>

#include "oracle/bound_input.h"
#include "oracle/bounds.h"

namespace fnn {

/// Requires numbers in which every pair is wanted.
void append_family_bounds(const BoundInput& input, std::vector<Bound>& bounds);

}  // namespace fnn
