// SPDX-License-Identifier: GPL-3.0-or-later
// Cost: the components of the network, and the price of its bandwidth.
#pragma once

#include "evaluate/pair_measures.h"
#include "spec/spec.h"

namespace fnn {

/// The effective bisection bandwidths, counting both directions of all nodes, in links.
struct Effective {
  double basic;
  double advanced;
};

/// Counts components in use: NICs with a cable, switches with a node, the uplink switch with its cables, and its
/// spares, which have as many NICs as most nodes. Returns {"nics", "switches", "cables", "unpriced"} and, where the
/// spec gives prices, "price" {"nics", "switches", "cables", "total"}, "per_node" and "per_gbps" of each bisection
/// bandwidth, else null. `unpriced` names the components without a price in the spec.
Json cost(const Fabric& fabric, const Spec& spec, const Bisection& bisection, const Effective& effective,
          double cable_meters);

/// Total length in meters of all cables between nodes and switches, where the spec gives racks.
double cable_meters(const Fabric& fabric, const Spec& spec);

}  // namespace fnn
