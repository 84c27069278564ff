// SPDX-License-Identifier: GPL-3.0-or-later
// A wiring as one line of text: "0 3 4;1 2;" plugs NICs 0, 3 and 4 into the first group of ports and
// 1 and 2 into the second, in this order.
//
// Operators pick a NIC of a group by its position in that order. A resumed search therefore needs the
// same order to repeat the same choices.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "design/wiring.h"

namespace fnn {

std::string write_wiring(const Wiring& wiring);

/// Nothing when the text is no wiring within the limits.
std::optional<Wiring> read_wiring(std::string_view text, const Limits& limits);

}  // namespace fnn
