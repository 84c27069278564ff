// SPDX-License-Identifier: GPL-3.0-or-later
// Blow-ups: how many nodes of each type of a family fit the switches. The essay is in blow_ups.cc.
#pragma once

#include <optional>
#include <vector>

#include "oracle/families.h"

namespace fnn {

/// Nodes per type of a family.
struct BlowUp {
  std::vector<int> copies;
  long long excess = 0;  ///< links beyond the widths of the switches

  bool fits() const { return excess == 0; }
};

/// So many nodes on switches of these widths, one per switch of the family. When it does not fit,
/// that proves nothing: the nodes are laid out with little excess.
BlowUp blow_up(const Family& family, int nodes, const std::vector<int>& widths);

/// The most nodes that fit switches of one width, up to `most_nodes_of_family`.
BlowUp largest_blow_up(const Family& family, int width);

/// The least width whose largest blow-up holds so many nodes.
int fewest_ports(const Family& family, int nodes);

/// No weighting of the projective plane of an order holds more nodes on switches of one width.
long long most_nodes_of_plane(int order, long long width);

/// The same of any family; where it is no plane, the share of its own nodes per port.
long long most_nodes_of_family(const Family& family, int width);

long long count_nodes(const BlowUp& blow_up);

}  // namespace fnn
