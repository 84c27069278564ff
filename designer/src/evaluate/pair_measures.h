// SPDX-License-Identifier: GPL-3.0-or-later
// Bandwidth of a single pair of nodes, and the bisection bandwidths derived from it (KLAT2, section 6.1).
#pragma once

#include "evaluate/fabric.h"

namespace fnn {

/// Switches on the path of a message, over ordered pairs: one where the nodes share a switch, three over the uplink
/// switch where both ends have a cable to it. {"mean", "histogram", "unreached"}; the mean is over reachable pairs,
/// null without any.
Json switches_traversed(const Fabric& fabric);

/// The bandwidth between two nodes without other traffic, over unordered pairs, in links. `paper` is the closed
/// formula of the paper, valid when every usable port holds a node; `ports` are the usable ports per switch.
Json pairwise(const Fabric& fabric, const std::vector<int>& ports);

/// The mean of pairwise().
Rational mean_pairwise(const Fabric& fabric);

/// All bisection bandwidths count both directions, as the paper does: full bisection is one link per node.
struct Bisection {
  Rational best;          ///< every link busy in both directions
  Rational conservative;  ///< nodes x mean pairwise bandwidth
};

Bisection bisection(const Fabric& fabric);

Json bisection_json(const Bisection& bisection, int unit_mbps);

}  // namespace fnn
