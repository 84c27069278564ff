// SPDX-License-Identifier: GPL-3.0-or-later
// Forwarding index (Heydemann, Hoefler): how many routes of ordered pairs cross a link.
//
// When all nodes send the same amount to all others at once, the busiest link is the bottleneck: the exchange takes
// its index times the time of one message.
#pragma once

#include "evaluate/fabric.h"
#include "routing/choice.h"

namespace fnn {

/// {"nic", "switch"}, each {"min", "mean", "max"} or null. `nic` covers the links of nodes with basic routing, each
/// direction counted separately. `switch` covers links between switches: the cables to the uplink switch, which no
/// route uses.
Json forwarding_index(const Fabric& fabric, const Choice& choice);

}  // namespace fnn
