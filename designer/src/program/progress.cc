// SPDX-License-Identifier: GPL-3.0-or-later
#include "program/progress.h"

#include <unistd.h>

#include <cstdio>

#include "base/problem.h"
#include "base/rounding.h"

namespace fnn {
namespace {

/// "17 s", "3 min", "5 h": a duration in one suitable unit.
std::string format_duration(double seconds) {
  char text[32];
  if (seconds < 120.0) std::snprintf(text, sizeof text, "%.0f s", seconds);
  else if (seconds < 7200.0) std::snprintf(text, sizeof text, "%.0f min", seconds / 60.0);
  else std::snprintf(text, sizeof text, "%.0f h", seconds / 3600.0);
  return text;
}

std::string line(const ProgressSample& sample) {
  char rate[32];
  std::snprintf(rate, sizeof rate, "%.3g", sample.rate);
  // The goals only rank wirings that cover every pair.
  const std::string cost = sample.uncovered == 0 ? "cost " + std::to_string(sample.cost) + ", " : "";
  return counted(sample.generation, "generation") + ", " + counted(sample.uncovered, "pair") + " uncovered, " + cost +
         rate + " generations/s, " + format_duration(sample.seconds_left) + " left";
}

}  // namespace

Progress::Progress(ProgressForm form)
    : terminal_(::isatty(STDERR_FILENO) == 1), form_(form), next_(kLineInterval) {
  if (form_ == ProgressForm::kAuto) form_ = terminal_ ? ProgressForm::kText : ProgressForm::kNone;
}

Progress::~Progress() { close(); }

void Progress::close() {
  if (line_open_) std::fputc('\n', stderr);
  line_open_ = false;
}

void Progress::report(const ProgressSample& sample) {
  if (form_ == ProgressForm::kNone || sample.seconds < next_) return;
  next_ = sample.seconds + kLineInterval;
  if (form_ == ProgressForm::kJson) {
    std::fprintf(stderr, "%s\n", compact(to_json(sample)).c_str());
  } else {
    std::fprintf(stderr, "%s%s%s", terminal_ ? "\r\x1b[K" : "", line(sample).c_str(), terminal_ ? "" : "\n");
    line_open_ = terminal_;
  }
}

Json to_json(const ProgressSample& sample) {
  return {{"generation", sample.generation},
          {"uncovered", sample.uncovered},
          {"cost", sample.cost},
          {"seconds", rounded(sample.seconds, 1e3)},
          {"rate", rounded(sample.rate, 1e3)},
          {"seconds_left", rounded(sample.seconds_left, 1e3)}};
}

}  // namespace fnn
