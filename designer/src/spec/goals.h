// SPDX-License-Identifier: GPL-3.0-or-later
// Goals: the objective that ranks valid designs. Coverage has strict priority over goals.
#pragma once

#include <vector>

#include "spec/patterns.h"

namespace fnn {

struct Spec;

/// Non-negative weights; a goal of weight 0 is inactive.
struct Goals {
  double shared_switches = 0;  ///< more shared switches for communicating pairs
  double balance = 0;          ///< even use of each node's NICs by the traffic
  double exposure = 0;         ///< few wanted pairs that depend on a single switch
  double cable_length = 0;     ///< short cables, when racks are given
  double moved_cables = 0;     ///< few moved cables, with --near
  double price = 0;            ///< few switches used, by price

  bool any() const;
  bool operator==(const Goals&) const = default;
};

Goals goals_of(const Spec& spec);

/// The value of a pair's bandwidth x: x^(7/8), computed by square roots, which round the same on every machine.
double bandwidth_value(double bandwidth);

/// The pairs that determine the goals for shared switches and balance: the user's evaluation matrix if there is one,
/// else the patterns. Empty when there is neither: then all pairs count equally.
std::vector<WeightedPair> valued_pairs_of(const Spec& spec);

}  // namespace fnn
