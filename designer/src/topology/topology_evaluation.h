// SPDX-License-Identifier: GPL-3.0-or-later
// The prediction for a design of a topology that the spec determines; docs/reference/topologies.md defines its keys.
#pragma once

#include "design/design_reading.h"
#include "evaluate/sampling.h"

namespace fnn {

/// The fnn-network document of a valid design: the measures of network_measures.h, the hops of each pair, and the
/// throughput under adversarial traffic.
Json topology_evaluation(const Design& design, const Sampling& sampling);

}  // namespace fnn
