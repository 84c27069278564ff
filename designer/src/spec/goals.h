// SPDX-License-Identifier: GPL-3.0-or-later
// Goals: what makes one valid design better than another. Coverage is never traded away for them.
#pragma once

#include <vector>

#include "spec/patterns.h"

namespace fnn {

struct Spec;

/// Weights, none below zero; a goal of weight 0 does not count.
struct Goals {
  double shared_switches = 0;  ///< more shared switches for pairs that talk
  double balance = 0;          ///< even use of each node's NICs by the traffic
  double exposure = 0;         ///< few wanted pairs that depend on a single switch
  double cable_length = 0;     ///< short cables, when racks are given
  double moved_cables = 0;     ///< few moved cables, with --near
  double price = 0;            ///< few switches used, by price

  bool any() const;
  bool operator==(const Goals&) const = default;
};

Goals goals_of(const Spec& spec);

/// What a pair's bandwidth x is worth: x^(7/8), by square roots, which every machine rounds alike.
double worth_of(double bandwidth);

/// Whose shared switches and NICs the goals look at: the user's own evaluation matrix when there is
/// one, else the patterns. Empty when there is neither: then all pairs are alike.
std::vector<WeightedPair> valued_pairs_of(const Spec& spec);

}  // namespace fnn
