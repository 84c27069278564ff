// SPDX-License-Identifier: GPL-3.0-or-later
// Headroom: room for future nodes. The search designs the larger cluster; the cables of the future nodes
// are left out, and their ports stay free until --grow uses them.
#pragma once

#include "design/cabling.h"
#include "spec/spec.h"

namespace fnn {

/// The spec with `more` nodes of the most common kind appended. Throws BadInput when the spec has
/// patterns, which do not define the traffic of future nodes, or when there are too many nodes.
Spec with_headroom(const Spec& spec, int more);

/// Cuts a cabling of the larger cluster down to the nodes of the spec. Returns the number of future nodes
/// that fit: each shares enough switches with all before it.
int remove_future_nodes(Cabling& cabling, const Spec& spec);

}  // namespace fnn
