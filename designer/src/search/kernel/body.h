// SPDX-License-Identifier: GPL-3.0-or-later
// One kernel: its functions for each row length, with and without goals. plain.cc, x86_64_v3.cc and
// avx512.cc include this file, with FNN_KERNEL as the name of their instruction set.
#pragma once

#include "search/kernel/annealing.h"
#include "search/kernel/kernel.h"

namespace fnn::FNN_KERNEL {

/// Calls Task<words, with goals>::run for the row length of the state.
template <template <int, bool> class Task, bool kWithGoals, class... Arguments>
auto by_words(const KernelState& s, Arguments... arguments) {
  switch (s.words) {
    case 1: return Task<1, kWithGoals>::run(arguments...);
    case 2: return Task<2, kWithGoals>::run(arguments...);
    case 4: return Task<4, kWithGoals>::run(arguments...);
    case 16: return Task<16, kWithGoals>::run(arguments...);
    default: return Task<0, kWithGoals>::run(arguments...);
  }
}

template <template <int, bool> class Task, class... Arguments>
auto by_goals(const KernelState& s, Arguments... arguments) {
  return s.goals != nullptr ? by_words<Task, true>(s, arguments...) : by_words<Task, false>(s, arguments...);
}

template <int kWords, bool kWithGoals>
struct EvaluateMove {
  static Delta run(const KernelState* s, const Move* move) { return move_delta<kWords, kWithGoals>(*s, *move); }
};

template <int kWords, bool kWithGoals>
struct EvaluateMoves {
  static int64_t run(const KernelState* s, const Move* moves, int64_t count) {
    int64_t sum = 0;
    for (int64_t i = 0; i < count; ++i) {
      const Delta delta = move_delta<kWords, kWithGoals>(*s, moves[i]);
      sum += delta.deficit + delta.cost;
    }
    return sum;
  }
};

template <int kWords, bool kWithGoals>
struct Make {
  static void run(KernelState* s, const Move* move, const Delta* delta) {
    make_move<kWords>(*s, *move, *delta);
  }
};

template <int kWords, bool kWithGoals>
struct Anneal {
  static void run(KernelState* s, RngState* rng, TemperatureStage* stage) {
    anneal_at_temperature<kWords, kWithGoals>(*s, *rng, *stage);
  }
};

inline Delta evaluate_move(const KernelState& s, const Move& move) { return by_goals<EvaluateMove>(s, &s, &move); }
inline int64_t evaluate_moves(const KernelState& s, const Move* moves, int64_t count) {
  return by_goals<EvaluateMoves>(s, &s, moves, count);
}
inline void make(KernelState& s, const Move& move, const Delta& delta) { by_goals<Make>(s, &s, &move, &delta); }
inline void anneal(KernelState& s, RngState& rng, TemperatureStage& stage) { by_goals<Anneal>(s, &s, &rng, &stage); }

inline bool propose_one(const KernelState& s, Operator kind, RngState& rng, Move& move) {
  const uint32_t more_bits = draw_pair(rng).first;
  const RandomPair bits = draw_pair(rng);
  switch (kind) {
    case Operator::exchange: return propose_exchange(s, bits, more_bits, move);
    case Operator::relocate: return propose_relocation(s, bits, move);
    case Operator::shift: return propose_shift(s, bits, more_bits, move);
    case Operator::remove: return propose_removal(s, more_bits, move);
    case Operator::bridge: return s.problem_count > 0 && propose_bridge(s, rng, more_bits, move);
  }
  return false;
}

}  // namespace fnn::FNN_KERNEL
