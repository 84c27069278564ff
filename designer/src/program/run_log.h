// SPDX-License-Identifier: GPL-3.0-or-later
// The log of a run: times and rates, which never enter a design. One JSON object per line.
//
// Every generation with an improvement gets a line; of the others, at most one per half second. The log
// of a long run therefore stays small.
#pragma once

#include <fstream>
#include <optional>
#include <string>
#include <utility>

#include "base/json_text.h"
#include "program/rate_meter.h"

namespace fnn {

class RunLog {
 public:
  /// Truncates the file, or appends to it when the run is resumed. An empty path means no log. Throws
  /// BadInput when the file cannot be written.
  RunLog(const std::string& path, bool resumed);

  /// {"event": event, ...more}
  void write(const std::string& event, Json more);
  void report(const ProgressSample& sample);

 private:
  std::ofstream file_;
  std::optional<std::pair<int, std::int64_t>> best_;  ///< uncovered pairs and cost
  double next_ = 0.0;
};

}  // namespace fnn
