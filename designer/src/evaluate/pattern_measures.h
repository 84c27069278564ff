// SPDX-License-Identifier: GPL-3.0-or-later
// What the flows of communication patterns get.
#pragma once

#include "evaluate/fabric.h"
#include "evaluate/sampling.h"
#include "routing/choice.h"
#include "spec/spec.h"

namespace fnn {

/// One entry per pattern, the standard ones first, then those of the spec: {"pattern", "group", "flows",
/// "in_rank_order", "anywhere"}. Rank order puts rank r on node r; `anywhere` is the estimate over random places, null
/// for the patterns of the spec, which are about nodes.
Json pattern_measures(const Fabric& fabric, const Choice& choice, const Spec& spec, const Sampling& sampling);

}  // namespace fnn
