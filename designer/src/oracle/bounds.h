// SPDX-License-Identifier: GPL-3.0-or-later
// Bounds: what every flat neighborhood must have. A spec that breaks one has no design at all.
#pragma once

#include <string>
#include <vector>

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

/// All bounds, cheapest first; the essay in bounds.cc says what each one means.
std::vector<Bound> compute_bounds(const std::vector<Node>& nodes, const std::vector<Switch>& switches);

/// The smallest change of one kind that no bound rules out. Whether there is a design then is for a
/// search to find out.
struct Suggestion {
  std::string change;  ///< "ports", "nics" or "switches"
  long long add;
  std::string message;
};

std::vector<Suggestion> suggest_changes(const Spec& spec);

}  // namespace fnn
