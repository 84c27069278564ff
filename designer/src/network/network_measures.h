// SPDX-License-Identifier: GPL-3.0-or-later
// All measures of a routed network, as for a flat neighborhood network; docs/reference/evaluation.md defines them.
#pragma once

#include "evaluate/flows.h"
#include "evaluate/sampling.h"
#include "network/forwarding_tables.h"
#include "spec/patterns.h"

namespace fnn {

/// {"switches_traversed", "nodes_between", "pairwise", "bisection", "ebb", "patterns", "saturation", "aapc",
/// "forwarding_index", "exposure"}. Bandwidths are in links of `unit_mbps`. `aapc` is null where routes are so long
/// that it would take minutes. Runs in one thread.
Json network_measures(const RoutedNetwork& routed, int unit_mbps, const std::vector<OwnPattern>& own,
                      const Sampling& sampling);

/// The exchange that "across" in "bisection" measures: node i with node i + n/2, in both directions.
Level across(std::size_t nodes);

}  // namespace fnn
