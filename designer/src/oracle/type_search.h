// SPDX-License-Identifier: GPL-3.0-or-later
// The exact search for few switches: finds a design or proves that there is none. The essay is at
// the head of type_search.cc.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "design/wiring.h"
#include "spec/demand.h"

namespace fnn {

/// A set of switches, as bits.
using Type = std::uint32_t;

inline constexpr int kMostTypeSwitches = 16;

/// Equivalent nodes: how many, and their NICs per medium.
struct TypeKind {
  std::vector<int> nodes;
  std::vector<int> nics;
};

/// The complete input of the decision whether a universal flat neighborhood exists.
struct TypeProblem {
  std::vector<int> width;  ///< per switch, at most the number of nodes
  std::vector<int> media;  ///< per switch, of all its ports
  std::vector<TypeKind> kinds;
  int nodes = 0;
  int shared = 1;  ///< switches that any two nodes must share
};

/// Nothing for unsupported specs: patterns, many switches, switches with ports of several media.
std::optional<TypeProblem> type_problem(const Limits& limits, const Demand& demand);

enum class TypeVerdict { kFound, kImpossible, kOpen };

struct TypeOutcome {
  TypeVerdict verdict = TypeVerdict::kOpen;
  std::vector<std::vector<Type>> types;  ///< when found: per kind, the switches of each of its nodes
  long long cases = 0;                   ///< examined, each with a linear program
  int most_nodes = 0;                    ///< when impossible: upper bound over all cases
};

/// `effort` limits the work in machine-independent units, so that the outcome is the same on every machine; about 5e8
/// per second.
TypeOutcome search_types(const TypeProblem& problem, long long effort);

/// The result as a wiring; unneeded NICs stay unplugged.
Wiring wiring_of(const TypeProblem& problem, const TypeOutcome& found, const Limits& limits);

}  // namespace fnn
