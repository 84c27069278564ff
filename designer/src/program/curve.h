// SPDX-License-Identifier: GPL-3.0-or-later
// The trade-off curve of a redesign: quality of the design against the number of moved cables.
#pragma once

#include <vector>

#include "design/cabling.h"
#include "spec/goals.h"
#include "spec/spec.h"

namespace fnn {

/// One redesign: the weight of a kept cable, the moves of the standing ones, and the weighted mean number
/// of switches that the valued pairs share (all pairs, when none are valued).
struct Tradeoff {
  double weight;
  Moves moves;
  double shared;
};

/// Weights of a kept cable that are worth trying beside these goals, in rising order.
std::vector<double> curve_weights(const Goals& goals);

/// The Pareto-optimal points: no other has fewer moves and is as good, or as few and is better. By rising moves.
std::vector<Tradeoff> pareto(std::vector<Tradeoff> points);

Json to_json(const std::vector<Tradeoff>& curve);
std::string table_of(const std::vector<Tradeoff>& curve);

}  // namespace fnn
