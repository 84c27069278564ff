// SPDX-License-Identifier: GPL-3.0-or-later
// The innermost loop: propose, judge, and make what is better, or worse by no more than there is
// patience for just now.
//
// A move that costs x is to be made with the chance e^(-x/T). That is so when x is at most
// T * -ln(u) for a random u, and this bound, the patience of the step, takes no more than a look into
// a table and a multiplication of whole numbers.
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
      // Only a state that is left for a worse one need be written down.
      if (unsaved && !better) remember(b, stage);
      unsaved = better;
      if (better) stage.best_cost = b.cost + verdict.cost;
    }
    make_move<kWords>(b, move, verdict);
  }
  if (unsaved) remember(b, stage);
}

}  // namespace fnn::FNN_KERNEL
