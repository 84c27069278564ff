// SPDX-License-Identifier: GPL-3.0-or-later
// Bounds: necessary conditions for every flat neighborhood network. A spec that violates one has no design.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "spec/demand.h"
#include "spec/spec.h"

namespace fnn {

/// The multiplier of a relaxation, as a fraction (rank_bounds.cc).
struct Multiplier {
  long long numerator;
  long long denominator;
};

/// `needed` is the minimum that any design takes of a resource, `available` the maximum that the spec has of it.
struct Bound {
  std::string name;
  long long needed;
  long long available;
  std::string message;  ///< the reason, in the numbers of this spec
  std::optional<Multiplier> multiplier = std::nullopt;  ///< with which a check repeats the proof

  bool holds() const { return needed <= available; }
};

/// All bounds, cheapest first; the essay in bounds.cc defines each one. The demand must have the same number of
/// nodes.
std::vector<Bound> compute_bounds(const std::vector<Node>& nodes, const std::vector<Switch>& switches,
                                  const Demand& demand);
std::vector<Bound> compute_bounds(const Spec& spec);

}  // namespace fnn
