// SPDX-License-Identifier: GPL-3.0-or-later
// How many peers the busiest NIC of a node carries at least, however its routes are chosen.
//
// Every peer goes over one of the switches that the node shares with it. Take some NICs of the node and
// all peers that can be reached over nothing else: these have to find room there. By Hall's theorem the
// tightest such set is also the only obstacle, so the bound is found by putting the peers somewhere: as
// a flow from groups of peers (those with the same choice) to NICs of a given room.
//
// An example: on red a node has two peers of its own, on blue three, and one more is on both. No NIC can
// carry fewer than three: {red, blue} has six peers for two NICs. Were there four on blue alone, that
// set would ask for four.
//
// With different speeds the room of a NIC is what it carries at the common number of peers per Gb/s.
#pragma once

#include <vector>

#include "routing/legs.h"

namespace fnn {

/// Per node and leg, the peers it may carry when no NIC carries more peers per Gb/s than it must.
std::vector<std::vector<int>> peer_bounds(const Legs& legs);

}  // namespace fnn
