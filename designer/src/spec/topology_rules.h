// SPDX-License-Identifier: GPL-3.0-or-later
// What each topology requires of a spec.
//
//   fnn     any switches; the search finds a wiring
//   switch  one switch with a port for every node, which is a flat neighborhood network of one neighborhood
//   tree    two or more switches, which trunks join without a loop; NIC 0 of every node has a port on one of them
//   ring    no switch; NIC 1 of each node is joined to NIC 0 of the next, and that of the last to the first
//   star    no switch; each NIC of the first node is joined to NIC 0 of one other node
//   mesh    no switch; a cable between any two nodes
#pragma once

#include <string>

#include "base/json_text.h"
#include "base/problem.h"

namespace fnn {

/// Whether all pairs are to share a switch, so that the designer finds the wiring: `fnn` and `switch`. In all other
/// topologies the spec determines it.
bool is_flat_neighborhood(const Json& spec);

/// Adds the mode of a ring and a star, and the trunks of a tree: each switch to the first, with one cable.
void add_topology_defaults(Json& spec);

/// Adds missing trunks to `tree`, an object with switches.
void add_default_trunks(Json& tree);

/// Checks a spec in normal form at JSON pointer `at`.
void check_topology(const Json& spec, const std::string& at, Problems& problems);

}  // namespace fnn
