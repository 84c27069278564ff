// SPDX-License-Identifier: GPL-3.0-or-later
// Bounds from the rank of the incidence matrix of nodes and switches; the essay is in rank_bounds.cc, the proofs in
// docs/reference/bounds.md.
#pragma once

#include <vector>

#include "oracle/bound_input.h"
#include "oracle/bounds.h"

namespace fnn {

/// Appends the bounds that demand more than `slots` and `pairs`, which must be in `bounds`. Requires that every
/// pair is wanted.
void append_rank_bounds(const BoundInput& input, std::vector<Bound>& bounds);

/// Whether these bounds allow `nodes` nodes with `nics` NICs on any number of switches of `ports` ports.
bool rank_bounds_allow(Count nodes, Count nics, Count ports);

}  // namespace fnn
