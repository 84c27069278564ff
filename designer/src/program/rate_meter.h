// SPDX-License-Identifier: GPL-3.0-or-later
// RateMeter: the progress, the rate and the remaining time of a search.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "search/genetic.h"

namespace fnn {

/// The progress of a search at one moment.
struct ProgressSample {
  std::int64_t generation;
  int uncovered;
  std::int64_t cost;    ///< of the goals, 0 without; less is better
  double seconds;                      ///< since the start
  double rate;                         ///< recent generations per second
  double seconds_left;  ///< until the time or the steps run out
};

class RateMeter {
 public:
  RateMeter(double time_limit, std::optional<std::int64_t> steps);

  double seconds() const;
  ProgressSample sample(std::int64_t generation, const Individual& best);

 private:
  double rate(std::int64_t generation, double now);

  std::chrono::steady_clock::time_point start_;
  double time_limit_;
  std::optional<std::int64_t> steps_;
  std::optional<std::int64_t> window_generation_;  ///< the generation from which the rate is counted, at window_start_
  double window_start_ = 0.0;
  double rate_ = 0.0;
};

}  // namespace fnn
