// SPDX-License-Identifier: GPL-3.0-or-later
// Blow-ups: the number of nodes of each type of a family such that switches are not overfull. Essay: blow_ups.cc.
#pragma once

#include <optional>
#include <vector>

#include "oracle/families.h"

namespace fnn {

/// Nodes per type of a family.
struct BlowUp {
  std::vector<int> copies;
  long long excess = 0;  ///< links beyond the widths of the switches, in total

  bool fits() const { return excess == 0; }
};

/// Places `nodes` nodes on switches of these widths, one width per switch of the family. An excess above 0 proves
/// nothing: the result is then a placement with a small excess.
BlowUp blow_up(const Family& family, int nodes, const std::vector<int>& widths);

/// The most nodes found to fit switches of one width, at most `most_nodes_of_family`.
BlowUp largest_blow_up(const Family& family, int width);

/// The least width whose largest blow-up holds `nodes` nodes.
int fewest_ports(const Family& family, int nodes);

/// Upper bound for every weighting of the projective plane of an order, on switches of one width.
long long most_nodes_of_plane(int order, long long width);

/// The same for any family: for a design that was found, its nodes, or 0 on narrower switches than its own; for other
/// families that are no planes, their nodes per port times the width.
long long most_nodes_of_family(const Family& family, int width);

long long count_nodes(const BlowUp& blow_up);

}  // namespace fnn
