// SPDX-License-Identifier: GPL-3.0-or-later
// A lower bound on the peers of a node's busiest NIC, over all choices of its routes.
//
// Every peer uses one of the switches that the node shares with it. Take some NICs of the node and all peers that
// only these NICs reach: these NICs must carry all those peers. By Hall's theorem the tightest such set is the only
// obstacle. The bound is therefore computed as a maximum flow from groups of peers (those with the same choice) to
// NICs of limited capacity.
//
// An example: a node has two peers on red only, three on blue only, and one on both. No NIC can carry fewer than
// three: {red, blue} has six peers for two NICs. With four peers on blue only, that set alone would require four.
//
// With different speeds, the capacity of a NIC is proportional to its speed, at a common number of peers per Gb/s.
#pragma once

#include <vector>

#include "routing/legs.h"

namespace fnn {

/// Per node and leg, the peers it may carry when the maximum of peers per Gb/s over its NICs is minimal.
std::vector<std::vector<int>> peer_bounds(const Legs& legs);

}  // namespace fnn
