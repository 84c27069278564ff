// SPDX-License-Identifier: GPL-3.0-or-later
// Advice on specs with spare resources: the minimum for coverage alone, and the benefit of the rest.
#pragma once

#include <optional>

#include "design/wiring.h"
#include "spec/demand.h"
#include "spec/spec.h"

namespace fnn {

/// Statistics of shared switches per pair of nodes.
struct Sharing {
  double mean = 0;                       ///< shared switches per wanted pair
  double without_spare = 0;              ///< fraction of wanted pairs that share only the required minimum
  long long lost_with_worst_switch = 0;  ///< wanted pairs that share too few after the failure of the worst switch
};

Sharing sharing_of(const Wiring& wiring, const Demand& demand);

/// A smaller cluster that has a design, minimized in the order NICs, ports, switches.
struct Lean {
  int nics;      ///< maximum per node
  int ports;     ///< maximum for nodes per switch
  int switches;
  Sharing sharing;
};

/// Nothing when the oracle finds no leaner spec, or when the spec is too large or not universal.
std::optional<Lean> lean_design(const Spec& spec, const Demand& demand);

}  // namespace fnn
