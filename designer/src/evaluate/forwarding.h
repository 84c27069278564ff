// SPDX-License-Identifier: GPL-3.0-or-later
// Forwarding index (Heydemann, Hoefler): how many of the routes of all ordered pairs go over a link.
//
// When all nodes send equally much to all others at once, the busiest link decides: its index times the time of one
// message.
#pragma once

#include "evaluate/fabric.h"
#include "routing/choice.h"

namespace fnn {

/// {"nic", "switch"}, each {"min", "mean", "max"} or null. `nic` counts links of nodes, up and down by themselves,
/// with basic routing; `switch` those between switches: the cables to the uplink switch, which no route takes.
Json forwarding_index(const Fabric& fabric, const Choice& choice);

}  // namespace fnn
