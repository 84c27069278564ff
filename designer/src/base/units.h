// SPDX-License-Identifier: GPL-3.0-or-later
// Units of bandwidth. Documents state speeds of NICs in Mb/s and rates of switches in Gb/s.
#pragma once

namespace fnn {

constexpr double kMbpsPerGbps = 1000;

}  // namespace fnn
