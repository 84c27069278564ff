// SPDX-License-Identifier: GPL-3.0-or-later
// The log of a run: times and rates, which never enter a design. One JSON object per line.
//
// There is a line for every generation that brought something better and at least one in half a
// second, so that the log of a long run stays small.
#pragma once

#include <fstream>
#include <optional>
#include <string>
#include <utility>

#include "base/json_text.h"
#include "program/pace.h"

namespace fnn {

class RunLog {
 public:
  /// Begins the file anew, or goes on behind what it holds when the run goes on, too. An empty path
  /// means no log. Throws BadInput when the file cannot be written.
  RunLog(const std::string& path, bool goes_on);

  /// {"event": event, ...more}
  void tell(const std::string& event, Json more);
  void report(const Moment& moment);

 private:
  std::ofstream file_;
  std::optional<std::pair<int, std::int64_t>> best_;  ///< uncovered pairs and cost
  double next_ = 0.0;
};

}  // namespace fnn
