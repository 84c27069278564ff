// SPDX-License-Identifier: GPL-3.0-or-later
#include "program/run_log.h"

#include <cerrno>
#include <cstring>

#include "base/problem.h"
#include "program/progress.h"

namespace fnn {

RunLog::RunLog(const std::string& path, bool resumed) {
  if (path.empty()) return;
  file_.open(path, resumed ? std::ios::app : std::ios::trunc);
  if (!file_) throw BadInput({{file_name(path), std::string("cannot be written: ") + std::strerror(errno)}});
}

void RunLog::write(const std::string& event, Json more) {
  if (!file_.is_open()) return;
  more["event"] = event;
  file_ << compact(more) << std::endl;
}

void RunLog::report(const ProgressSample& sample) {
  const std::pair<int, std::int64_t> now{sample.uncovered, sample.cost};
  const bool better = !best_ || now < *best_;
  if (!better && sample.seconds < next_) return;
  best_ = now;
  next_ = sample.seconds + kLineInterval;
  write("generation", to_json(sample));
}

}  // namespace fnn
