// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/kernel/kernel.h"

namespace fnn {

extern const Kernel kPlainKernel;
extern const Kernel kV3Kernel;
extern const Kernel kAvx512Kernel;

Kernels runnable_kernels() {
  Kernels kernels{{&kPlainKernel, nullptr, nullptr}, 1};
#if defined(__x86_64__)
  __builtin_cpu_init();
  const bool v3 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("bmi") != 0 &&
                  __builtin_cpu_supports("bmi2") != 0 && __builtin_cpu_supports("popcnt") != 0;
  if (!v3) return kernels;
  kernels.all[kernels.count++] = &kV3Kernel;
  const bool wide = __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512vl") != 0 &&
                    __builtin_cpu_supports("avx512vpopcntdq") != 0;
  if (wide) kernels.all[kernels.count++] = &kAvx512Kernel;
#endif
  return kernels;
}

const Kernel& fastest_kernel() {
  static const Kernels kernels = runnable_kernels();
  return *kernels.all[kernels.count - 1];
}

}  // namespace fnn
