// SPDX-License-Identifier: GPL-3.0-or-later
// The trade-off curve of a redesign: how much better a design gets for how many moved cables.
#pragma once

#include <vector>

#include "design/cabling.h"
#include "spec/goals.h"
#include "spec/spec.h"

namespace fnn {

/// One redesign: what a kept cable was worth, what came of the standing ones, and the mean number of
/// switches that the valued pairs share (all pairs, when none are valued), weighted.
struct Tradeoff {
  double weight;
  Moves moves;
  double shared;
};

/// Weights of a kept cable that are worth trying beside these goals, rising.
std::vector<double> curve_weights(const Goals& goals);

/// Those that no other beats: of fewer moves and as good, or of as many and better. By rising moves.
std::vector<Tradeoff> pareto(std::vector<Tradeoff> points);

Json to_json(const std::vector<Tradeoff>& curve);
std::string table_of(const std::vector<Tradeoff>& curve);

}  // namespace fnn
