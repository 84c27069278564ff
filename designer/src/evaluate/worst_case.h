// SPDX-License-Identifier: GPL-3.0-or-later
// Worst case: the guaranteed throughput of every flow, with our routing and with the best possible routing.
//
// Permutations (adversarial traffic, oblivious routing). Every node sends to one other and receives from one other.
// The throughput is the guaranteed rate of each flow over the worst-case permutation. Without oversubscribed switches
// no two flows of a permutation share a link. The worst case is then any permutation that contains the weakest pair,
// and the best splitting gives that pair all its shared switches. By Birkhoff's theorem this holds for all traffic in
// which every node sends and receives one unit, not only for permutations. With an oversubscribed switch, the
// permutation that loads it most under our routing is the solution of an assignment problem (Towles and Dally). The
// best splitting for that permutation, and the weakest pair, bound the optimum.
//
// Patterns. All pairs of a pattern communicate at once, in both directions, in proportion to their weights. The
// throughput is the rate of a pair of mean weight in each direction at saturation. The best splitting is a linear
// program (splitting.h).
#pragma once

#include "evaluate/fabric.h"
#include "routing/choice.h"
#include "routing/weights.h"
#include "spec/spec.h"

namespace fnn {

/// {"permutation", "patterns", "ratio"}; docs/reference/evaluation.md defines them.
Json worst_case(const Fabric& fabric, const Choice& choice, const Weights& weights, const Spec& spec);

}  // namespace fnn
