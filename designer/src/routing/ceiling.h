// SPDX-License-Identifier: GPL-3.0-or-later
// How many peers the busiest NIC of all carries at least, however all routes are chosen together.
//
// Each node by itself could keep to its bound (peer_bound.h), but a pair uses the same switch at both ends,
// so bounds may contradict each other: where one node has a NIC full of peers that have no other switch,
// its other pairs there must go elsewhere, and that fills NICs of other nodes. So the consequences are
// drawn to the end: a NIC that is full of pairs without a choice is taken from the choice of all other
// pairs, which may leave more of them without one. When a NIC gets more than it may carry, the number of
// peers was too small, and no choice of routes gets by with it. The first number that is not refused so is
// the ceiling.
#pragma once

#include <vector>

#include "routing/legs.h"

namespace fnn {

/// How many peers NICs may carry, per node and leg.
struct PeerLimits {
  std::vector<std::vector<int>> own;      ///< what the node by itself could keep to (peer_bound.h)
  std::vector<std::vector<int>> ceiling;  ///< at the number of peers per Gb/s that all NICs have in common
};

PeerLimits peer_limits(const Legs& legs);

}  // namespace fnn
