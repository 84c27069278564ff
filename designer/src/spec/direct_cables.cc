// SPDX-License-Identifier: GPL-3.0-or-later
#include "spec/direct_cables.h"

namespace fnn {

using std::size_t;

std::vector<DirectCable> direct_cables(const std::string& topology, size_t nodes) {
  std::vector<DirectCable> cables;
  if (topology == "ring") {
    for (size_t node = 0; node < nodes; ++node) cables.push_back({node, 1, (node + 1) % nodes, 0});
  } else if (topology == "star") {
    for (size_t node = 1; node < nodes; ++node) cables.push_back({0, node - 1, node, 0});
  } else if (topology == "mesh") {
    // The NICs of a node go to the other nodes in rank order.
    for (size_t a = 0; a < nodes; ++a) {
      for (size_t b = a + 1; b < nodes; ++b) cables.push_back({a, b - 1, b, a});
    }
  }
  return cables;
}

}  // namespace fnn
