// SPDX-License-Identifier: GPL-3.0-or-later
// Worst case: how much every flow is sure to get, with our routing and with the best there could be.
//
// Permutations. Every node sends to one other and receives from one other. Throughput is what each flow is sure to
// get, over the worst permutation. Where switches keep up with their links, no two flows of a permutation meet on a
// link, so the worst permutation is any that has the weakest pair, and the best splitting gives that pair all switches it
// shares. By Birkhoff's theorem this holds for everything that sends and receives one unit per node, not only for
// permutations. Where a switch is narrow, the permutation that loads it most with our routing is an assignment problem
// (Towles and Dally); the best splitting for that very permutation, and the weakest pair, bound the optimum.
//
// Patterns. All pairs of a pattern talk at once, both ways, in proportion to their weights; throughput is what a pair of
// mean weight gets in each direction when all go as fast as the fabric lets them. The best splitting is a linear
// program (splitting.h).
#pragma once

#include "evaluate/fabric.h"
#include "routing/choice.h"
#include "spec/spec.h"

namespace fnn {

/// {"permutation", "patterns", "ratio"}; docs/reference/evaluation.md defines them.
Json worst_case(const Fabric& fabric, const Choice& choice, const Spec& spec);

}  // namespace fnn
