// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench_rate.h"

#include <algorithm>
#include <ctime>

namespace fnn {
namespace {

constexpr int kRepetitions = 7;
constexpr double kSecondsEach = 0.15;

std::int64_t sum = 0;

void forget_memory() { asm volatile("" ::: "memory"); }

double cpu_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

double rate(const std::function<std::int64_t(std::int64_t&)>& work) {
  double best = 0;
  for (int i = 0; i < kRepetitions; ++i) {
    std::int64_t done = 0;
    const double start = cpu_seconds();
    double seconds = 0;
    while (seconds < kSecondsEach) {
      done += work(sum);
      forget_memory();
      seconds = cpu_seconds() - start;
    }
    best = std::max(best, static_cast<double>(done) / seconds);
  }
  return best;
}

std::int64_t consumed() { return sum; }

}  // namespace fnn
