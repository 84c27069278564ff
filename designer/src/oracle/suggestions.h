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

/// The smallest change of one kind that is not proved insufficient.
struct Suggestion {
  std::string change;  ///< "ports", "nics", "switches", "redundancy" or "patterns"
  long long add;       ///< how many more; for redundancy and patterns, how many fewer
  std::string message;
  bool designed;                ///< a design was found; false: existence is open
  std::optional<double> price;  ///< set when the spec gives the necessary prices
};

/// Tries for a short while to design a changed spec.
using Trial = std::function<bool(const Spec&, const Demand&)>;

/// Suggestions with a price first, in ascending order.
std::vector<Suggestion> suggest_changes(const Spec& spec, const Trial& trial);

}  // namespace fnn
