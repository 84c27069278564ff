// SPDX-License-Identifier: GPL-3.0-or-later
// Cliques: sets of nodes in which every pair is wanted.
#pragma once

#include <vector>

#include "spec/demand.h"

namespace fnn {

/// A large clique found greedily, in ascending order; not always the maximum.
std::vector<std::size_t> wanted_clique(const Demand& demand);

}  // namespace fnn
