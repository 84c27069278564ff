// SPDX-License-Identifier: GPL-3.0-or-later
// The innermost loop, simulated annealing: propose a move, evaluate it, and make it when its cost is
// within the acceptance threshold of this step.
//
// The Metropolis rule accepts a move that costs x with probability e^(-x/T). This is equivalent to
// x <= T * -ln(u) for a uniform random u in (0, 1). The right side is the threshold. It takes
// one table look-up and one integer multiplication.
#pragma once

#include "search/kernel/make_move.h"
#include "search/kernel/mutation_operators.h"

namespace fnn::FNN_KERNEL {

inline void save_best(const KernelState& s, const TemperatureStage& stage) {
  for (int nic = 0; nic < s.first_nic[s.nodes]; ++nic) stage.best_group[nic] = s.group[nic];
}

template <int kWords, bool kWithGoals>
void anneal_at_temperature(KernelState& s, RngState& rng, TemperatureStage& stage) {
  bool unsaved = false;
  for (int64_t step = 0; step < stage.steps; ++step) {
    if (stage.stop_when_covered && s.deficit == 0) break;
    const RandomPair chance = draw_pair(rng);
    Move move;
    if (!propose<kWithGoals>(s, rng, chance.second, chance.first, move)) continue;
    const int64_t threshold = (stage.temperature * stage.thresholds[chance.second >> 20U]) >> 16U;
    const Delta delta = move_delta<kWords, kWithGoals>(s, move);
    int64_t rise = delta.deficit * stage.deficit_price + delta.cost;
    if constexpr (kWithGoals) rise -= delta.below * s.goals->below_discount;
    if (rise > threshold) continue;
    if constexpr (kWithGoals) {
      const bool better = s.deficit + delta.deficit == 0 && s.cost + delta.cost < stage.best_cost;
      // The best state is saved only when the search leaves it for a worse one.
      if (unsaved && !better) save_best(s, stage);
      unsaved = better;
      if (better) stage.best_cost = s.cost + delta.cost;
    }
    make_move<kWords>(s, move, delta);
  }
  if (unsaved) save_best(s, stage);
}

}  // namespace fnn::FNN_KERNEL
