// SPDX-License-Identifier: GPL-3.0-or-later
// Fabrics for the tests of their measures.
#pragma once

#include <string>
#include <vector>

#include "evaluate/fabric.h"
#include "routing/choice.h"

namespace fnn::testing {

/// A fabric from the switches of each node; all links have the same speed, and there is no uplink.
Fabric fabric_on(const std::vector<std::vector<int>>& switches, int mbps = 1000);

/// Nodes on random switches with links of random speeds; some pairs share no switch.
Fabric random_fabric(Random& random);

/// The routes that `fnn-designer routes` chooses with seed 1.
Choice choice_for(const Fabric& fabric);

/// The design committed in inventory/.
Design committed(const std::string& inventory);

/// 64 PCs with KLAT2's port use: eight switches of 31 nodes and one of 8.
Fabric klat2_as_built();

}  // namespace fnn::testing
