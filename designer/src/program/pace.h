// SPDX-License-Identifier: GPL-3.0-or-later
// Pace: how far a search has come, how fast it goes and how long it may still take.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "search/genetic.h"

namespace fnn {

/// What there is to tell of a search at one moment.
struct Moment {
  std::int64_t generation;
  int uncovered;
  std::int64_t cost;    ///< of the goals, 0 without; less is better
  double seconds;                      ///< since the start
  double rate;                         ///< generations per second, lately
  double seconds_left;  ///< until the time or the steps run out
};

class Pace {
 public:
  Pace(double time_limit, std::optional<std::int64_t> steps);

  double seconds() const;
  Moment moment(std::int64_t generation, const Individual& best);

 private:
  double rate(std::int64_t generation, double now);

  std::chrono::steady_clock::time_point start_;
  double time_limit_;
  std::optional<std::int64_t> steps_;
  std::optional<std::int64_t> mark_;  ///< the generation from which the rate is counted, at marked_
  double marked_ = 0.0;
  double rate_ = 0.0;
};

}  // namespace fnn
