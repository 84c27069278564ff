// SPDX-License-Identifier: GPL-3.0-or-later
// Single points of failure: how many pairs of nodes share no switch after one component fails.
#pragma once

#include "evaluate/fabric.h"
#include "spec/spec.h"

namespace fnn {

/// {"switch", "nic", "cable"}, each {"min", "mean", "max", "worst"} in unordered pairs, over all single failures of
/// the kind; `worst` names one component. A NIC and its cable carry the same pairs; cables to the uplink switch carry
/// none.
Json exposure(const Fabric& fabric, const Spec& spec);

/// {"min", "mean", "max"} over several failures of the pairs each one disconnects; null without failures.
Json losses_json(const std::vector<long long>& lost);

}  // namespace fnn
