// SPDX-License-Identifier: GPL-3.0-or-later
// Headroom: room for nodes that are not there yet. What is designed is the larger cluster; the cables
// of the later nodes are left out, and their ports stay free until --grow uses them.
#pragma once

#include "design/cabling.h"
#include "spec/spec.h"

namespace fnn {

/// The spec with `more` nodes after the others, of the kind that most of them are of. Throws BadInput
/// when the spec has patterns, which do not say what they would do, or when there are too many.
Spec with_headroom(const Spec& spec, int more);

/// Cuts a cabling of the larger cluster down to the nodes of the spec. Gives the number of later nodes
/// for which there is room: each shares enough switches with all before it.
int leave_headroom(Cabling& cabling, const Spec& spec);

}  // namespace fnn
