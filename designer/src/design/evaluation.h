// SPDX-License-Identifier: GPL-3.0-or-later
// The evaluation function: the deficit of a wiring, and its uncovered pairs.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "design/wiring.h"
#include "spec/demand.h"

namespace fnn {

struct Evaluation {
  /// Wanted pairs of nodes that share too few switches, in order.
  std::vector<std::pair<int, int>> uncovered;
  /// The total number of shared switches that these pairs lack.
  std::int64_t deficit = 0;
};

/// Measures a wiring from its links alone, without state from earlier measurements.
Evaluation evaluate(const Wiring& wiring, const Demand& demand);

}  // namespace fnn
