// SPDX-License-Identifier: GPL-3.0-or-later
#if defined(__x86_64__)
#define FNN_KERNEL avx512
#include "search/kernel/body.h"

namespace fnn {
extern const Kernel kAvx512Kernel;
const Kernel kAvx512Kernel{"avx512", avx512::evaluate_move, avx512::evaluate_moves, avx512::make, avx512::propose_one,
                           avx512::anneal};
}  // namespace fnn
#endif
