// SPDX-License-Identifier: GPL-3.0-or-later
// How large the squares of a row of the excess matrix are on average; the essay is in twin_squares.cc.
#pragma once

#include "oracle/rank_input.h"

namespace fnn {

/// The squares are multiples of 1 / kSquareUnit.
inline constexpr Count kSquareUnit = 256;

/// Sets `twin_squares` of all degrees, and `has_twin_squares`. Leaves the input as it is where too many cases would have
/// to be distinguished, a number is too large, or the squares of the `rank` bound do not satisfy the inequality.
void determine_twin_squares(RankInput& input);

}  // namespace fnn
