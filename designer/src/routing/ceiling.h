// SPDX-License-Identifier: GPL-3.0-or-later
// The ceiling: a lower bound on the peers of the busiest NIC in the network, over all joint choices of routes.
//
// Each node alone could keep its own bound (peer_bound.h). But a pair uses the same switch at both ends, so the
// bounds of nodes may contradict each other. Where a node has a NIC full of peers without another switch, its other
// pairs on that switch must move, which fills NICs of other nodes. Constraint propagation follows these consequences
// to the end: a NIC full of forced pairs is removed from the choice of all other pairs, which may force more of them.
// When a NIC gets more pairs than it may carry, no choice of routes achieves that number of peers. The first number
// that is not refuted is the ceiling.
#pragma once

#include <vector>

#include "routing/legs.h"

namespace fnn {

/// Upper limits for the peers of NICs, per node and leg.
struct PeerLimits {
  std::vector<std::vector<int>> own;      ///< limit that the node alone could keep (peer_bound.h)
  std::vector<std::vector<int>> ceiling;  ///< at the peers per Gb/s that all NICs have in common
};

PeerLimits peer_limits(const Legs& legs);

}  // namespace fnn
