// SPDX-License-Identifier: GPL-3.0-or-later
// Monitoring a run: progress on stderr during the run, and a log file.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "program/designing.h"
#include "program/progress.h"
#include "program/rate_meter.h"
#include "program/run_log.h"

namespace fnn {

struct MonitorOptions {
  ProgressForm progress = ProgressForm::kAuto;
  bool quiet = false;
  std::string log;
};

void add_monitor_options(CLI::App& command, MonitorOptions& options);

class RunMonitor {
 public:
  /// A resumed run (`resumed`) appends to the log of the run before it.
  RunMonitor(const MonitorOptions& options, const DesignRequest& request, bool resumed);

  double seconds() const { return meter_.seconds(); }
  /// After every generation.
  void report(std::int64_t generation, const Individual& best);
  /// Ends the line of the progress, and writes the last line of the log.
  void end(const Json& answer) {
    progress_.close();
    log_.write("end", answer);
  }

 private:
  RateMeter meter_;
  Progress progress_;
  RunLog log_;
};

}  // namespace fnn
