// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels: the innermost loops of the search, compiled once per instruction set. Their results are
// bit-identical; only their speed differs.
//
//   plain       runs on every processor
//   x86-64-v3   counts bits in one instruction, handles rows four words at a time (AVX2)
//   avx512      counts the bits of eight words in one instruction
#pragma once

#include "search/kernel/kernel_state.h"

namespace fnn {

enum class Operator { exchange, relocate, shift, remove, bridge };
inline constexpr Operator kOperators[] = {Operator::exchange, Operator::relocate, Operator::shift, Operator::remove,
                                          Operator::bridge};

struct Kernel {
  const char* name;
  /// The change in deficit and cost by a move. The caller ensures that the move is within the limits.
  Delta (*evaluate_move)(const KernelState& state, const Move& move);
  /// Evaluates many moves and sums the results, for the benchmark.
  int64_t (*evaluate_moves)(const KernelState& state, const Move* moves, int64_t count);
  /// Makes a move. `delta` is the result of evaluate_move().
  void (*make)(KernelState& state, const Move& move, const Delta& delta);
  /// Proposes a move of one kind within the limits; false when the random choice allows none.
  bool (*propose)(const KernelState& state, Operator kind, RngState& rng, Move& move);
  void (*anneal)(KernelState& state, RngState& rng, TemperatureStage& stage);
};

/// The kernels that this processor can run, the fastest last.
struct Kernels {
  const Kernel* all[3];
  int count;
};
Kernels runnable_kernels();

const Kernel& fastest_kernel();

}  // namespace fnn
