// SPDX-License-Identifier: GPL-3.0-or-later
// Cost: what the network is made of, and what its bandwidth costs.
#pragma once

#include "evaluate/pair_measures.h"
#include "spec/spec.h"

namespace fnn {

/// The effective bisection bandwidths, both directions of all nodes, in links.
struct Effective {
  double basic;
  double advanced;
};

/// Counts what is in use: NICs with a cable, switches with a node, the uplink switch with its cables, and its spares,
/// which have as many NICs as most nodes. {"nics", "switches", "cables", "unpriced"} and, where the spec gives prices,
/// "price" {"nics", "switches", "cables", "total"}, "per_node" and "per_gbps" of each bisection bandwidth, else null.
/// `unpriced` names what the prices of the spec do not cover.
Json cost(const Fabric& fabric, const Spec& spec, const Bisection& bisection, const Effective& effective,
          double cable_meters);

/// The meters of all cables between nodes and switches, where racks tell.
double cable_meters(const Fabric& fabric, const Spec& spec);

}  // namespace fnn
