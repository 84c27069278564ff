// SPDX-License-Identifier: GPL-3.0-or-later
// The maintenance network of a spec: a switch, or a tree of switches, with one NIC of each node.
#pragma once

#include "base/json_text.h"

namespace fnn {

/// The spec of the maintenance network alone, from `spec`, a normal form that has one. It is a spec of the topology
/// switch or tree, not yet in normal form.
Json maintenance_spec(const Json& spec);

}  // namespace fnn
