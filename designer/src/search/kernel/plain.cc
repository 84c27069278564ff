// SPDX-License-Identifier: GPL-3.0-or-later
#define FNN_KERNEL plain
#include "search/kernel/body.h"

namespace fnn {
extern const Kernel kPlainKernel;
const Kernel kPlainKernel{"plain", plain::judge, plain::judge_many, plain::make, plain::propose_one, plain::anneal};
}  // namespace fnn
