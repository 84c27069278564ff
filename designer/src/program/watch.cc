// SPDX-License-Identifier: GPL-3.0-or-later
#include "program/watch.h"

#include <map>

namespace fnn {

void add_watch_options(CLI::App& command, WatchOptions& options) {
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
  command.add_option("--log", options.log, "A file for times and rates, one JSON object per line");
}

Watch::Watch(const WatchOptions& options, const DesignRequest& request, bool goes_on)
    : pace_(request.time_limit, request.generations),
      progress_(options.quiet ? ProgressForm::kNone : options.progress),
      log_(options.log, goes_on) {}

void Watch::report(std::int64_t generation, const Individual& best) {
  const Moment moment = pace_.moment(generation, best);
  progress_.report(moment);
  log_.report(moment);
}

}  // namespace fnn
