// SPDX-License-Identifier: GPL-3.0-or-later
// Watching a run: progress while it goes on, a log for later.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "program/designing.h"
#include "program/pace.h"
#include "program/progress.h"
#include "program/run_log.h"

namespace fnn {

struct WatchOptions {
  ProgressForm progress = ProgressForm::kAuto;
  bool quiet = false;
  std::string log;
};

void add_watch_options(CLI::App& command, WatchOptions& options);

class Watch {
 public:
  /// A resumed run (`goes_on`) appends to the log of the run before it.
  Watch(const WatchOptions& options, const DesignRequest& request, bool goes_on);

  double seconds() const { return pace_.seconds(); }
  /// After every generation.
  void report(std::int64_t generation, const Individual& best);
  /// The last line of the log.
  void end(const Json& answer) { log_.tell("end", answer); }

 private:
  Pace pace_;
  Progress progress_;
  RunLog log_;
};

}  // namespace fnn
