// SPDX-License-Identifier: GPL-3.0-or-later
// The cables between nodes of a topology without switches.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace fnn {

/// A cable between two nodes, by rank, with the index of the NIC at each end.
struct DirectCable {
  std::size_t a;
  std::size_t nic_a;
  std::size_t b;
  std::size_t nic_b;
};

/// The cables of a ring, star or mesh, in the order of their segments; empty for the other topologies.
std::vector<DirectCable> direct_cables(const std::string& topology, std::size_t nodes);

}  // namespace fnn
