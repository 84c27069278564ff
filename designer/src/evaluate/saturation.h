// SPDX-License-Identifier: GPL-3.0-or-later
// Saturation: the throughput of flows that all go at rates in proportion to their demands.
#pragma once

#include <optional>

#include "evaluate/fabric.h"
#include "evaluate/flows.h"
#include "routing/choice.h"

namespace fnn {

struct DemandedFlow {
  Flow flow;
  double amount;
};

/// Links per unit of demand.
struct Saturation {
  double basic;
  double advanced;    ///< each flow in equal parts over all switches that its nodes share
  double best_low;    ///< a splitting that reaches this was found
  double best_high;   ///< no splitting reaches more
};

/// Flows between nodes that share no switch are left out; nothing when none remains. Each flow has its opposite of the
/// same amount when `symmetric`, which halves the work.
std::optional<Saturation> saturate(const Fabric& fabric, const Choice& choice, const std::vector<DemandedFlow>& flows,
                                   bool symmetric);

}  // namespace fnn
