// SPDX-License-Identifier: GPL-3.0-or-later
// The evaluation function: what a wiring lacks, and where its problem spots are.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "design/wiring.h"
#include "spec/demand.h"

namespace fnn {

struct Evaluation {
  /// The problem spots: wanted pairs of nodes that share too few switches, in order.
  std::vector<std::pair<int, int>> uncovered;
  /// How many shared switches these lack, all together.
  std::int64_t deficit = 0;
};

/// Measures a wiring from its links alone; nothing is carried over from earlier measurements.
Evaluation evaluate(const Wiring& wiring, const Demand& demand);

}  // namespace fnn
