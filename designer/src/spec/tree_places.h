// SPDX-License-Identifier: GPL-3.0-or-later
// The places of nodes on switches that trunks join as a tree. NIC 0 of each node is used.
//
// Nodes are spread over the switches as evenly as their ports permit, in blocks of consecutive ranks. Switches that are
// joined take consecutive blocks. So in a ring of all ranks, few neighbors are on different switches (the logical ring
// of Grosz and Barczak, "Building an inexpensive parallel computer").
//
//   six nodes on two switches: k00 k01 k02 on the first, k03 k04 k05 on the second; two of six pairs use the trunk
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "base/json_text.h"

namespace fnn {

/// One cable of a trunk: the two switches, by index, and its speed.
struct TrunkCable {
  std::size_t a;
  std::size_t b;
  int mbps;
};

/// The ports of the switches of a tree, after trunks took theirs: the fastest that both ends have of one medium.
struct TreePorts {
  std::vector<TrunkCable> cables;                   ///< in the order of the trunks
  std::vector<std::map<std::string, int>> for_nodes;  ///< per switch: ports of each medium that nodes can use
  std::vector<std::size_t> unfit;                   ///< trunks whose cables exceed the ports of each medium
};

/// The ports of a spec in normal form whose trunks name switches.
TreePorts tree_ports(const Json& spec);

/// The index of the switch of each node. The spec is valid and has enough ports.
std::vector<std::size_t> places_of_nodes(const Json& spec);

}  // namespace fnn
