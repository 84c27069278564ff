// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels: the innermost loops of the search, compiled once per instruction set. All give the same
// results, bit by bit; they differ in how fast.
//
//   plain       runs everywhere
//   x86-64-v3   counts bits in one instruction, handles rows four words at a time (AVX2)
//   avx512      counts the bits of eight words in one instruction
#pragma once

#include "search/kernel/board.h"

namespace fnn {

enum class Operator { exchange, relocate, shift, remove, bridge };
inline constexpr Operator kOperators[] = {Operator::exchange, Operator::relocate, Operator::shift, Operator::remove,
                                          Operator::bridge};

struct Kernel {
  const char* name;
  /// By how much a move would change deficit and cost. The caller sees to the limits.
  Verdict (*judge)(const Board& board, const Move& move);
  /// Judges many and adds up, for the benchmark.
  int64_t (*judge_many)(const Board& board, const Move* moves, int64_t count);
  /// Does it. `verdict` is what judge() said.
  void (*make)(Board& board, const Move& move, const Verdict& verdict);
  /// A move of one kind within the limits, or false when chance led into a dead end.
  bool (*propose)(const Board& board, Operator kind, Dice& dice, Move& move);
  void (*anneal)(Board& board, Dice& dice, Stage& stage);
};

/// The kernels that this processor can run, the fastest last.
struct Kernels {
  const Kernel* all[3];
  int count;
};
Kernels runnable_kernels();

const Kernel& fastest_kernel();

}  // namespace fnn
