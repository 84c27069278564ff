// SPDX-License-Identifier: GPL-3.0-or-later
// One kernel: its functions for each row length, with and without goals. plain.cc, x86_64_v3.cc and
// avx512.cc include this file, with FNN_KERNEL as the name of their instruction set.
#pragma once

#include "search/kernel/annealing.h"
#include "search/kernel/kernel.h"

namespace fnn::FNN_KERNEL {

/// Calls Task<words, aims>::run for the row length of the board.
template <template <int, bool> class Task, bool kAims, class... Arguments>
auto by_words(const Board& b, Arguments... arguments) {
  switch (b.words) {
    case 1: return Task<1, kAims>::run(arguments...);
    case 2: return Task<2, kAims>::run(arguments...);
    case 4: return Task<4, kAims>::run(arguments...);
    case 16: return Task<16, kAims>::run(arguments...);
    default: return Task<0, kAims>::run(arguments...);
  }
}

template <template <int, bool> class Task, class... Arguments>
auto by_board(const Board& b, Arguments... arguments) {
  return b.aims != nullptr ? by_words<Task, true>(b, arguments...) : by_words<Task, false>(b, arguments...);
}

template <int kWords, bool kAims>
struct Judge {
  static Verdict run(const Board* b, const Move* move) { return judge_move<kWords, kAims>(*b, *move); }
};

template <int kWords, bool kAims>
struct JudgeMany {
  static int64_t run(const Board* b, const Move* moves, int64_t count) {
    int64_t sum = 0;
    for (int64_t i = 0; i < count; ++i) {
      const Verdict verdict = judge_move<kWords, kAims>(*b, moves[i]);
      sum += verdict.deficit + verdict.cost;
    }
    return sum;
  }
};

template <int kWords, bool kAims>
struct Make {
  static void run(Board* b, const Move* move, const Verdict* verdict) {
    make_move<kWords>(*b, *move, *verdict);
  }
};

template <int kWords, bool kAims>
struct Anneal {
  static void run(Board* b, Dice* dice, Stage* stage) { anneal_stage<kWords, kAims>(*b, *dice, *stage); }
};

inline Verdict judge(const Board& b, const Move& move) { return by_board<Judge>(b, &b, &move); }
inline int64_t judge_many(const Board& b, const Move* moves, int64_t count) {
  return by_board<JudgeMany>(b, &b, moves, count);
}
inline void make(Board& b, const Move& move, const Verdict& verdict) { by_board<Make>(b, &b, &move, &verdict); }
inline void anneal(Board& b, Dice& dice, Stage& stage) { by_board<Anneal>(b, &b, &dice, &stage); }

inline bool propose_one(const Board& b, Operator kind, Dice& dice, Move& move) {
  const uint32_t who = draw_two(dice).first;
  const Twice where = draw_two(dice);
  switch (kind) {
    case Operator::exchange: return propose_exchange(b, where, who, move);
    case Operator::relocate: return propose_relocation(b, where, move);
    case Operator::shift: return propose_shift(b, where, who, move);
    case Operator::remove: return propose_removal(b, who, move);
    case Operator::bridge: return b.troubled_count > 0 && propose_bridge(b, dice, who, move);
  }
  return false;
}

}  // namespace fnn::FNN_KERNEL
