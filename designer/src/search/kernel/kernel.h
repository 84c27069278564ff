// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels: the innermost loops of the search, compiled once per instruction set. Their results are
// bit-identical; only their speed differs.
//
//   plain       runs on every processor
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
  /// The change in deficit and cost by a move. The caller ensures that the move is within the limits.
  Verdict (*judge)(const Board& board, const Move& move);
  /// Evaluates many moves and sums the results, for the benchmark.
  int64_t (*judge_many)(const Board& board, const Move* moves, int64_t count);
  /// Makes a move. `verdict` is the result of judge().
  void (*make)(Board& board, const Move& move, const Verdict& verdict);
  /// Proposes a move of one kind within the limits; false when the random choice allows none.
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
