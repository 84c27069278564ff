// SPDX-License-Identifier: GPL-3.0-or-later
// Exposure: how many pairs of nodes no longer share a switch when something breaks.
#pragma once

#include "evaluate/fabric.h"
#include "spec/spec.h"

namespace fnn {

/// {"switch", "nic", "cable"}, each {"min", "mean", "max", "worst"} in unordered pairs, over all single failures of the
/// kind; `worst` names one. A NIC and its cable carry the same pairs; cables to the uplink switch carry none.
Json exposure(const Fabric& fabric, const Spec& spec);

/// {"min", "mean", "max"} of the pairs that each of several failures costs; null where there are none.
Json told_losses(const std::vector<long long>& lost);

}  // namespace fnn
