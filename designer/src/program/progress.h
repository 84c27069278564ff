// SPDX-License-Identifier: GPL-3.0-or-later
// Progress: about twice a second a line on stderr, for people or for programs.
#pragma once

#include "base/json_text.h"
#include "program/rate_meter.h"

namespace fnn {

enum class ProgressForm {
  kAuto,  ///< text on a terminal, nothing elsewhere
  kText,  ///< rewritten in place on a terminal, one line below the other elsewhere
  kJson,  ///< one JSON object per line
  kNone,
};

/// Seconds between two lines, of the progress and of a log.
constexpr double kLineInterval = 0.5;

class Progress {
 public:
  explicit Progress(ProgressForm form);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  void report(const ProgressSample& sample);
  /// Ends an open line, so that other output begins on a line of its own.
  void close();

 private:
  bool terminal_;
  ProgressForm form_;
  bool line_open_ = false;
  double next_;
};

/// {"generation", "uncovered", "cost", "seconds", "rate", "seconds_left"}
Json to_json(const ProgressSample& sample);

}  // namespace fnn
