// SPDX-License-Identifier: GPL-3.0-or-later
// Throughput of the flows of communication patterns.
#pragma once

#include "evaluate/fabric.h"
#include "evaluate/sampling.h"
#include "routing/choice.h"
#include "spec/spec.h"

namespace fnn {

/// One entry per pattern, the standard patterns first, then those of the spec: {"pattern", "group", "flows",
/// "in_rank_order", "anywhere"}. Rank order maps rank r to node r. `anywhere` is the estimate over random mappings,
/// null for patterns of the spec, which name nodes.
Json pattern_measures(const Fabric& fabric, const Choice& choice, const Spec& spec, const Sampling& sampling);

}  // namespace fnn
