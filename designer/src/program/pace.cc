// SPDX-License-Identifier: GPL-3.0-or-later
#include "program/pace.h"

#include <algorithm>

namespace fnn {
namespace {

constexpr double kLately = 0.5;  // seconds over which the rate is counted

}  // namespace

Pace::Pace(double time_limit, std::optional<std::int64_t> steps)
    : start_(std::chrono::steady_clock::now()), time_limit_(time_limit), steps_(steps) {}

double Pace::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

double Pace::rate(std::int64_t generation, double now) {
  // A resumed search does not begin at its first generation.
  if (!mark_) mark_ = std::max<std::int64_t>(0, generation - 1);
  const double elapsed = now - marked_;
  if (elapsed < kLately && rate_ > 0.0) return rate_;
  const double fresh = elapsed > 0.0 ? static_cast<double>(generation - *mark_) / elapsed : 0.0;
  if (elapsed < kLately) return fresh;
  mark_ = generation;
  marked_ = now;
  return rate_ = fresh;
}

Moment Pace::moment(std::int64_t generation, const Individual& best) {
  const double now = seconds();
  const double fast = rate(generation, now);
  double left = time_limit_ - now;
  if (steps_ && fast > 0.0) left = std::min(left, static_cast<double>(*steps_ - generation) / fast);
  return {generation, best.uncovered, best.cost, now, fast, std::max(0.0, left)};
}

}  // namespace fnn
