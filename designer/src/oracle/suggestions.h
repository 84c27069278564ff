// SPDX-License-Identifier: GPL-3.0-or-later
// Suggestions: the cheapest changes that would make an infeasible spec feasible.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "spec/demand.h"
#include "spec/spec.h"

namespace fnn {

/// The smallest change of one kind that is not proved to be in vain.
struct Suggestion {
  std::string change;  ///< "ports", "nics", "switches", "redundancy" or "patterns"
  long long add;       ///< how many more; how many fewer of redundancy and patterns
  std::string message;
  bool designed;                ///< a design was found; else it is open whether there is one
  std::optional<double> price;  ///< when the spec's prices tell
};

/// Tries for a short while to design a changed spec.
using Trial = std::function<bool(const Spec&, const Demand&)>;

/// Those with a price first, the cheapest ahead.
std::vector<Suggestion> suggest_changes(const Spec& spec, const Trial& trial);

}  // namespace fnn
