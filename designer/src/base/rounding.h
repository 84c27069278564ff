// SPDX-License-Identifier: GPL-3.0-or-later
// Rounding of numbers that answers and logs show.
#pragma once

#include <cmath>

namespace fnn {

/// The multiple of 1/`parts` nearest to `value`: rounded(0.12345, 1e3) is 0.123.
inline double rounded(double value, double parts) { return std::round(value * parts) / parts; }

}  // namespace fnn
