// SPDX-License-Identifier: GPL-3.0-or-later
// Advice on specs that have more than they need: what coverage alone would take, and what the rest buys.
#pragma once

#include <optional>

#include "design/wiring.h"
#include "spec/demand.h"
#include "spec/spec.h"

namespace fnn {

/// How many switches pairs of nodes share.
struct Sharing {
  double mean = 0;       ///< shared switches per wanted pair
  double bare = 0;       ///< the part of wanted pairs that share no more than they must
  long long worst = 0;   ///< wanted pairs that share too few when the worst switch is dead
};

Sharing sharing_of(const Wiring& wiring, const Demand& demand);

/// A smaller cluster that has a design, settled in the order NICs, ports, switches.
struct Lean {
  int nics;      ///< at most, per node
  int ports;     ///< for nodes, at most, per switch
  int switches;
  Sharing sharing;
};

/// Nothing when the spec is as lean as the oracle can tell, or too large or not universal.
std::optional<Lean> lean_design(const Spec& spec, const Demand& demand);

}  // namespace fnn
