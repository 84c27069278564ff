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
#include <string>
#include <vector>

#include "base/json_text.h"

namespace fnn {

/// Cables between two switches, by index.
struct Trunk {
  std::size_t a;
  std::size_t b;
  int count;
};

/// The trunks of a valid spec in normal form; none without switches.
std::vector<Trunk> trunks_of(const Json& spec);

/// Ports that the trunks take of each switch.
std::vector<int> trunk_ports(const std::vector<Trunk>& trunks, std::size_t switches);

/// Ports of a switch that NICs of this media can use, if trunks take some: those of the fastest ports.
int ports_for_nodes(const Json& device, int trunks, const std::string& media);

/// The index of the switch of each node. The spec is valid and has enough ports.
std::vector<std::size_t> places_of_nodes(const Json& spec);

}  // namespace fnn
