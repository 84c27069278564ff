// SPDX-License-Identifier: GPL-3.0-or-later
// Cliques: nodes of which every two are wanted.
#pragma once

#include <vector>

#include "spec/demand.h"

namespace fnn {

/// A large clique, in rising order; not always the largest there is.
std::vector<std::size_t> wanted_clique(const Demand& demand);

}  // namespace fnn
