// SPDX-License-Identifier: GPL-3.0-or-later
// How many pairs of nodes lose each other when one switch, NIC or cable of a network is dead.
//
// Routes are taken to be mended: a pair is lost when no way is left, over switches and nodes that pass things on.
#pragma once

#include "base/json_text.h"
#include "network/network.h"

namespace fnn {

/// {"switch", "nic", "cable"}, each {"min", "mean", "max"} of unordered pairs, or null where there is none.
Json network_exposure(const Network& network);

}  // namespace fnn
