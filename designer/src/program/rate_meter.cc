// SPDX-License-Identifier: GPL-3.0-or-later
#include "program/rate_meter.h"

#include <algorithm>

namespace fnn {
namespace {

constexpr double kRateWindow = 0.5;  // seconds over which the rate is counted

}  // namespace

RateMeter::RateMeter(double time_limit, std::optional<std::int64_t> steps)
    : start_(std::chrono::steady_clock::now()), time_limit_(time_limit), steps_(steps) {}

double RateMeter::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

double RateMeter::rate(std::int64_t generation, double now) {
  // A resumed search does not begin at its first generation.
  if (!window_generation_) window_generation_ = std::max<std::int64_t>(0, generation - 1);
  const double elapsed = now - window_start_;
  if (elapsed < kRateWindow && rate_ > 0.0) return rate_;
  const double recent = elapsed > 0.0 ? static_cast<double>(generation - *window_generation_) / elapsed : 0.0;
  if (elapsed < kRateWindow) return recent;
  window_generation_ = generation;
  window_start_ = now;
  return rate_ = recent;
}

ProgressSample RateMeter::sample(std::int64_t generation, const Individual& best) {
  const double now = seconds();
  const double now_rate = rate(generation, now);
  double left = time_limit_ - now;
  if (steps_ && now_rate > 0.0) left = std::min(left, static_cast<double>(*steps_ - generation) / now_rate);
  return {generation, best.uncovered, best.cost, now, now_rate, std::max(0.0, left)};
}

}  // namespace fnn
