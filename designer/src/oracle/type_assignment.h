// SPDX-License-Identifier: GPL-3.0-or-later
// Whole numbers of nodes for the types of a family, by branch and bound.
#pragma once

#include <optional>
#include <vector>

#include "base/stopping.h"
#include "oracle/type_problem.h"

namespace fnn {

/// Nodes per kind and type, indexed as the kinds of the problem and the types of the family.
using Shares = std::vector<std::vector<int>>;

struct TypeAssignment {
  std::optional<Shares> shares;  ///< nothing if there are none, or none was found
  bool is_exact = false;         ///< nothing means that there are none
  long long effort = 0;
};

/// Of the search for an assignment.
struct AssignmentLimits {
  int programs;      ///< linear programs
  long long effort;  ///< of these in total
  Deadline deadline = Deadline::max();
};

/// Assigns all nodes to types of the family, any two of which meet.
TypeAssignment assign_nodes(const TypeProblem& problem, const Types& family, const AssignmentLimits& limits);

}  // namespace fnn
