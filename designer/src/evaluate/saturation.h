// SPDX-License-Identifier: GPL-3.0-or-later
// Saturation throughput: concurrent flow, in which all rates are in proportion to the demands.
#pragma once

#include <optional>

#include "evaluate/fabric.h"
#include "evaluate/flows.h"
#include "routing/choice.h"
#include "routing/weights.h"

namespace fnn {

struct DemandedFlow {
  Flow flow;
  double amount;
};

/// Throughput in links per unit of demand.
struct Saturation {
  double basic;
  double advanced;    ///< each flow split equally over all switches that its nodes share
  double weighted;    ///< each flow split over them by the weights of its pair
  double best_low;    ///< reached by a splitting that was found
  double best_high;   ///< upper bound for every splitting
};

/// Flows between nodes without a shared switch are ignored; returns nothing when none remains. `symmetric` means that
/// each flow has an opposite flow of the same amount, which halves the work.
std::optional<Saturation> saturate(const Fabric& fabric, const Choice& choice, const Weights& weights,
                                   const std::vector<DemandedFlow>& flows, bool symmetric);

/// The upper bound alone, `best_high`, of flows without such opposites.
std::optional<double> saturation_bound(const Fabric& fabric, const std::vector<DemandedFlow>& flows);

}  // namespace fnn
