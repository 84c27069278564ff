// SPDX-License-Identifier: GPL-3.0-or-later
// Units of bandwidth. Documents state speeds of NICs in Mb/s and rates of switches in Gb/s.
#pragma once

#include <algorithm>
#include <cmath>

namespace fnn {

constexpr double kMbpsPerGbps = 1000;

/// The rate of a switch in Mb/s. At least 1, because rates divide.
inline long long mbps_of_gbps(double gbps) { return std::max(1LL, std::llround(gbps * kMbpsPerGbps)); }

}  // namespace fnn
