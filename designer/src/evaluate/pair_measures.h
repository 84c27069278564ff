// SPDX-License-Identifier: GPL-3.0-or-later
// What a pair of nodes can expect, and the bisection bandwidths that follow from it (KLAT2, section 6.1).
#pragma once

#include "evaluate/fabric.h"

namespace fnn {

/// How many switches a message crosses, over ordered pairs: one where a switch is shared, three over the uplink switch
/// where there is a cable to it at both ends. {"mean", "histogram", "unreached"}; the mean is over pairs that are
/// reached, null when there are none.
Json switches_traversed(const Fabric& fabric);

/// The bandwidth between two nodes that have the fabric for themselves, over unordered pairs, in links. `paper` is the
/// closed formula of the paper for switches whose every usable port holds a node; `ports` has these.
Json pairwise(const Fabric& fabric, const std::vector<int>& ports);

/// The mean of pairwise().
Rational mean_pairwise(const Fabric& fabric);

/// All bisection bandwidths count both directions, as the paper does: full is a link per node.
struct Bisection {
  Rational best;          ///< every link busy both ways
  Rational conservative;  ///< nodes x mean pairwise bandwidth
};

Bisection bisection(const Fabric& fabric);

Json told(const Bisection& bisection, int unit_mbps);

}  // namespace fnn
