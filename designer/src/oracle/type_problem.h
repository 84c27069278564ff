// SPDX-License-Identifier: GPL-3.0-or-later
// The input of the search over types (oracle/type_search.cc).
#pragma once

#include <optional>
#include <vector>

#include "design/wiring.h"
#include "oracle/type_orbits.h"
#include "spec/demand.h"

namespace fnn {

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

  std::size_t switches() const { return width.size(); }
  /// Whether nodes of the kind have the NICs for a type.
  bool allows(const TypeKind& kind, Type type) const;
  /// The ports for nodes of all its switches.
  long long ports_of(Type type) const;
};

/// Nothing for unsupported specs: patterns, many switches, switches with ports of several media.
std::optional<TypeProblem> type_problem(const Limits& limits, const Demand& demand);

}  // namespace fnn
