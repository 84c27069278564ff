// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>

namespace fnn {

/// A line on stderr about twice a second: rewritten in place on a terminal, one below the other
/// elsewhere. Silent unless stderr is a terminal or `wanted`.
class Progress {
 public:
  explicit Progress(bool wanted);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  void report(std::int64_t generations, int uncovered);
  double seconds() const;

 private:
  using Clock = std::chrono::steady_clock;
  bool terminal_;
  bool shown_;
  bool line_open_ = false;
  Clock::time_point start_;
  Clock::time_point next_;
};

}  // namespace fnn
