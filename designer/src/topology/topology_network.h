// SPDX-License-Identifier: GPL-3.0-or-later
// The network of a design of a topology that the spec determines, with its routes.
#pragma once

#include "design/design_reading.h"
#include "network/forwarding_tables.h"

namespace fnn {

struct TopologyNetwork {
  RoutedNetwork routed;
  RoutingChoice choice;
  int slowest_mbps;  ///< of all links of nodes
};

/// A ring with spanning tree has the last cable blocked; any other gives the same path lengths. In a bonded ring, the
/// last node sends and receives over both its NICs in turn and does not forward. The design is valid.
TopologyNetwork network_of_design(const Design& design, std::uint64_t seed);

}  // namespace fnn
