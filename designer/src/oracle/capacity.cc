// SPDX-License-Identifier: GPL-3.0-or-later
//
// How many nodes can r NICs join over switches of w ports?
// --------------------------------------------------------
// In the dual view a node is a set of at most r switches, any two sets intersect, and no switch is in more than w of
// them. Three bounds:
//
// degree   A node meets at most r(w-1) others. If it meets exactly that many, every pair shares one
//          switch and all switches are full, so w divides n*r: a Steiner system.
// Fueredi  Z. Furedi (1981): the sets are the lines of a projective plane of order r-1, repeated, or
//          n <= (r-1)*w. So n is at most the larger of that and the capacity of the plane, which
//          blow_ups.cc computes exactly.
// sizes    Linear algebra gives a least number of switches. So many cannot all be full, and then the nodes meet too
//          rarely (rank_bounds.cc).
//
// For w = k*r + s, 0 < s < r, the plane of order q = r-1 holds (q^2+q+1)k + (q+1)s - q nodes (once k > 0) and
// Fueredi's other case q*w: the plane is optimal whenever k + s >= q. The remaining cases have few ports: some
// entries for 2 to 6 NICs, several of which are proved by affine planes, complete graphs, the small families and the
// third bound.
#include "oracle/capacity.h"

#include <algorithm>
#include <limits>

#include "oracle/rank_bounds.h"

namespace fnn {
namespace {

constexpr int kAnySwitches = std::numeric_limits<int>::max();

bool has_plane(int order) {
  const auto& orders = plane_orders();
  return std::find(orders.begin(), orders.end(), order) != orders.end();
}

/// Orders without a projective plane: 6 and 14 by the theorem of Bruck and Ryser, 10 by Lam's computer search.
bool has_no_plane(int order) { return order == 6 || order == 10 || order == 14; }

long long fueredi_bound(long long nics, long long ports) {
  const int order = static_cast<int>(nics) - 1;
  if (has_no_plane(order)) return order * ports;
  if (has_plane(order)) return std::max(order * ports, most_nodes_of_plane(order, ports));
  return ports * (nics * nics - nics + 1) / nics;
}

long long degree_bound(long long nics, long long ports) {
  const long long nodes = nics * (ports - 1) + 1;
  return nodes * nics % ports == 0 ? nodes : nodes - 1;
}

}  // namespace

long long capacity_bound(int nics, int ports) {
  long long nodes = std::min(degree_bound(nics, ports), fueredi_bound(nics, ports));
  while (!rank_bounds_allow(nodes, nics, ports)) --nodes;
  return nodes;
}

Capacity capacity(int nics, int ports) {
  Capacity best;
  best.nics = nics;
  best.ports = ports;
  best.bound = capacity_bound(nics, ports);
  for (const Family& family : families(static_cast<std::size_t>(nics), kAnySwitches, 1)) {
    const bool smaller = best.nodes > 0 && family.switches < best.family.switches;
    const long long room = most_nodes_of_family(family, ports);
    if (room < best.nodes || (room == best.nodes && !smaller)) continue;
    BlowUp blown = largest_blow_up(family, ports);
    const long long nodes = count_nodes(blown);
    if (nodes < best.nodes || (nodes == best.nodes && !smaller)) continue;
    best.nodes = nodes;
    best.family = family;
    best.blown = std::move(blown);
  }
  return best;
}

}  // namespace fnn
