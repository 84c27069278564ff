// SPDX-License-Identifier: GPL-3.0-or-later
// A second implementation of oracle/twin_squares.h, for the check of certificates.
#pragma once

#include <map>
#include <utility>

namespace fnn {

inline constexpr long long kTwinParts = 256;

/// The squares of each degree, a number of links and its excess, in multiples of 1 / kTwinParts. Empty where the bound `twins`
/// does not apply.
using TwinSquares = std::map<std::pair<long long, long long>, long long>;

/// Every degree has the value 0 on input.
TwinSquares check_twin_squares(TwinSquares degrees, long long redundancy);

}  // namespace fnn
