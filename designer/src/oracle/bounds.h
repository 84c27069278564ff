// SPDX-License-Identifier: GPL-3.0-or-later
// Bounds: what every flat neighborhood must have. A spec that breaks one has no design at all.
#pragma once

#include <string>
#include <vector>

#include "spec/demand.h"
#include "spec/spec.h"

namespace fnn {

/// `needed` is what any design takes of something, `available` what the spec has of it at most.
struct Bound {
  std::string name;
  long long needed;
  long long available;
  std::string message;  ///< why it matters, in the numbers of this spec

  bool holds() const { return needed <= available; }
};

/// All bounds, cheapest first; the essay in bounds.cc says what each one means. The demand is one for
/// as many nodes.
std::vector<Bound> compute_bounds(const std::vector<Node>& nodes, const std::vector<Switch>& switches,
                                  const Demand& demand);
std::vector<Bound> compute_bounds(const Spec& spec);

}  // namespace fnn
