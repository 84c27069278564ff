// SPDX-License-Identifier: GPL-3.0-or-later
#include "program/progress.h"

#include <unistd.h>

#include <cmath>
#include <cstdio>

#include "base/problem.h"

namespace fnn {
namespace {

constexpr double kBetweenLines = 0.5;  // seconds

double rounded(double value) { return std::round(value * 1e3) / 1e3; }

/// "17 s", "3 min", "5 h": a duration in one suitable unit.
std::string told(double seconds) {
  char text[32];
  if (seconds < 120.0) std::snprintf(text, sizeof text, "%.0f s", seconds);
  else if (seconds < 7200.0) std::snprintf(text, sizeof text, "%.0f min", seconds / 60.0);
  else std::snprintf(text, sizeof text, "%.0f h", seconds / 3600.0);
  return text;
}

std::string line(const Moment& moment) {
  char rate[32];
  std::snprintf(rate, sizeof rate, "%.3g", moment.rate);
  // The goals only rank wirings that cover every pair.
  const std::string cost = moment.uncovered == 0 ? "cost " + std::to_string(moment.cost) + ", " : "";
  return counted(moment.generation, "generation") + ", " + counted(moment.uncovered, "pair") + " uncovered, " + cost +
         rate + " generations/s, " + told(moment.seconds_left) + " left";
}

}  // namespace

Progress::Progress(ProgressForm form)
    : terminal_(::isatty(STDERR_FILENO) == 1), form_(form), next_(kBetweenLines) {
  if (form_ == ProgressForm::kAuto) form_ = terminal_ ? ProgressForm::kText : ProgressForm::kNone;
}

Progress::~Progress() {
  if (line_open_) std::fputc('\n', stderr);
}

void Progress::report(const Moment& moment) {
  if (form_ == ProgressForm::kNone || moment.seconds < next_) return;
  next_ = moment.seconds + kBetweenLines;
  if (form_ == ProgressForm::kJson) {
    std::fprintf(stderr, "%s\n", compact(to_json(moment)).c_str());
  } else {
    std::fprintf(stderr, "%s%s%s", terminal_ ? "\r\x1b[K" : "", line(moment).c_str(), terminal_ ? "" : "\n");
    line_open_ = terminal_;
  }
}

Json to_json(const Moment& moment) {
  return {{"generation", moment.generation},
          {"uncovered", moment.uncovered},
          {"cost", moment.cost},
          {"seconds", rounded(moment.seconds)},
          {"rate", rounded(moment.rate)},
          {"seconds_left", rounded(moment.seconds_left)}};
}

}  // namespace fnn
