// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace fnn {

/// The one-to-one assignment of rows to columns with the greatest sum (Hungarian method, cubic).
/// `gain` is square; the answer gives each row its column.
std::vector<int> best_assignment(const std::vector<std::vector<int>>& gain);

}  // namespace fnn
