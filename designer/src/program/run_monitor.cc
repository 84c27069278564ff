// SPDX-License-Identifier: GPL-3.0-or-later
#include "program/run_monitor.h"

#include <map>

namespace fnn {

void add_monitor_options(CLI::App& command, MonitorOptions& options) {
  const std::map<std::string, ProgressForm> forms = {{"auto", ProgressForm::kAuto},
                                                     {"text", ProgressForm::kText},
                                                     {"json", ProgressForm::kJson},
                                                     {"none", ProgressForm::kNone}};
  CLI::Option* progress =
      command.add_option("--progress", options.progress, "Progress on stderr: auto is text on a terminal, else none")
          ->transform(CLI::CheckedTransformer(forms))
          ->type_name("auto|text|json|none")
          ->default_str("auto");
  command.add_flag("--quiet", options.quiet, "No progress, not even on a terminal")->excludes(progress);
  command.add_option("--log", options.log, "File for times and rates, one JSON object per line");
}

RunMonitor::RunMonitor(const MonitorOptions& options, const DesignRequest& request, bool resumed)
    : meter_(request.time_limit, request.generations),
      progress_(options.quiet ? ProgressForm::kNone : options.progress),
      log_(options.log, resumed) {}

void RunMonitor::report(std::int64_t generation, const Individual& best) {
  const ProgressSample sample = meter_.sample(generation, best);
  progress_.report(sample);
  log_.report(sample);
}

}  // namespace fnn
