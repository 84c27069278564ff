// SPDX-License-Identifier: GPL-3.0-or-later
#if defined(__x86_64__)
#define FNN_KERNEL x86_64_v3
#include "search/kernel/body.h"

namespace fnn {
extern const Kernel kV3Kernel;
const Kernel kV3Kernel{"x86-64-v3", x86_64_v3::evaluate_move, x86_64_v3::evaluate_moves, x86_64_v3::make,
                       x86_64_v3::propose_one, x86_64_v3::anneal};
}  // namespace fnn
#endif
