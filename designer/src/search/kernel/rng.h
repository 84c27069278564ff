// SPDX-License-Identifier: GPL-3.0-or-later
// The random generator of a kernel: the algorithm of class Random, repeated because kernels share no
// functions with other code (kernel_state.h).
#pragma once

#include "search/kernel/kernel_state.h"

namespace fnn::FNN_KERNEL {

FNN_HOT uint64_t rotated(uint64_t word, int by) { return (word << by) | (word >> (64 - by)); }

FNN_HOT uint64_t draw(RngState& rng) {
  uint64_t* s = rng.state;
  const uint64_t result = rotated(s[1] * 5U, 7) * 9U;
  const uint64_t shifted = s[1] << 17U;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= shifted;
  s[3] = rotated(s[3], 45);
  return result;
}

/// One draw serves two choices, with 32 bits each.
struct RandomPair {
  uint32_t first;
  uint32_t second;
};

FNN_HOT RandomPair draw_pair(RngState& rng) {
  const uint64_t bits = draw(rng);
  return {static_cast<uint32_t>(bits >> 32U), static_cast<uint32_t>(bits)};
}

/// Maps 32 random bits to a number from 0 to n - 1.
FNN_HOT int below(uint32_t bits, int n) {
  return static_cast<int>((static_cast<uint64_t>(bits) * static_cast<uint64_t>(n)) >> 32U);
}

}  // namespace fnn::FNN_KERNEL
