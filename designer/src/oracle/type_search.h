// SPDX-License-Identifier: GPL-3.0-or-later
// The exact search for few switches: finds a design or proves that there is none. The essay is at
// the head of type_search.cc.
#pragma once

#include <optional>
#include <vector>

#include "base/stopping.h"
#include "design/wiring.h"
#include "oracle/type_problem.h"
#include "spec/demand.h"

namespace fnn {

enum class TypeVerdict { kFound, kImpossible, kOpen };

struct TypeOutcome {
  TypeVerdict verdict = TypeVerdict::kOpen;
  std::vector<Types> types;  ///< when found: per kind, the switches of each of its nodes
  long long cases = 0;       ///< examined, each with a linear program
};

/// `effort` limits the work in machine-independent units, so that the outcome is the same on every machine if there is no
/// deadline; 0.4e9 to 1e9 per second.
TypeOutcome search_types(const TypeProblem& problem, long long effort, Deadline deadline = Deadline::max());

/// The result as a wiring; unneeded NICs stay unplugged.
Wiring wiring_of(const TypeProblem& problem, const TypeOutcome& found, const Limits& limits);

}  // namespace fnn
