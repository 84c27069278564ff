// SPDX-License-Identifier: GPL-3.0-or-later
#define FNN_KERNEL plain
#include "search/kernel/body.h"

namespace fnn {
extern const Kernel kPlainKernel;
const Kernel kPlainKernel{"plain", plain::evaluate_move, plain::evaluate_moves, plain::make, plain::propose_one,
                          plain::anneal};
}  // namespace fnn
