// SPDX-License-Identifier: GPL-3.0-or-later
// The evaluation function: how good a wiring is, and where its problem spots are.
#pragma once

#include <utility>
#include <vector>

#include "design/wiring.h"

namespace fnn {

struct Evaluation {
  /// The problem spots: pairs of nodes that share no switch, in order.
  std::vector<std::pair<int, int>> uncovered;
};

/// Measures a wiring from its links alone; nothing is carried over from earlier measurements.
Evaluation evaluate(const Wiring& wiring);

}  // namespace fnn
