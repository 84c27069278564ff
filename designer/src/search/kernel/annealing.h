// SPDX-License-Identifier: GPL-3.0-or-later
// The innermost loop, simulated annealing: propose a move, evaluate it, and make it when its cost is
// within the acceptance threshold of this step.
//
// The Metropolis rule accepts a move that costs x with probability e^(-x/T). This is equivalent to
// x <= T * -ln(u) for a uniform random u in (0, 1). The right side is the threshold, `patience` in the
// code. It takes one table look-up and one integer multiplication.
#pragma once

#include "search/kernel/moving.h"
#include "search/kernel/proposing.h"

namespace fnn::FNN_KERNEL {

inline void remember(const Board& b, const Stage& stage) {
  for (int nic = 0; nic < b.first_nic[b.nodes]; ++nic) stage.best_group[nic] = b.group[nic];
}

template <int kWords, bool kAims>
void anneal_stage(Board& b, Dice& dice, Stage& stage) {
  bool unsaved = false;
  for (int64_t step = 0; step < stage.steps; ++step) {
    if (stage.stop_when_covered && b.lack_pairs == 0) break;
    const Twice chance = draw_two(dice);
    Move move;
    if (!propose<kAims>(b, dice, chance.second, chance.first, move)) continue;
    const int64_t patience = (stage.temperature * stage.patience[chance.second >> 20U]) >> 16U;
    const Verdict verdict = judge_move<kWords, kAims>(b, move);
    if (verdict.deficit * stage.deficit_price + verdict.cost > patience) continue;
    if constexpr (kAims) {
      const bool better = b.deficit + verdict.deficit == 0 && b.cost + verdict.cost < stage.best_cost;
      // The best state is saved only when the search leaves it for a worse one.
      if (unsaved && !better) remember(b, stage);
      unsaved = better;
      if (better) stage.best_cost = b.cost + verdict.cost;
    }
    make_move<kWords>(b, move, verdict);
  }
  if (unsaved) remember(b, stage);
}

}  // namespace fnn::FNN_KERNEL
