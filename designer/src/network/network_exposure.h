// SPDX-License-Identifier: GPL-3.0-or-later
// Single points of failure: how many pairs of nodes are disconnected when one switch, NIC or cable of a network
// fails.
//
// Rerouting is assumed: a pair is lost only when no path remains, over switches and forwarding nodes.
#pragma once

#include "base/json_text.h"
#include "network/network.h"

namespace fnn {

/// {"switch", "nic", "cable"}, each {"min", "mean", "max"} of unordered pairs, or null without components of the
/// kind.
Json network_exposure(const Network& network);

}  // namespace fnn
