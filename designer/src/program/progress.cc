// SPDX-License-Identifier: GPL-3.0-or-later
#include "program/progress.h"

#include <unistd.h>

#include <cstdio>

#include "base/problem.h"

namespace fnn {

constexpr std::chrono::milliseconds kBetweenLines{500};

Progress::Progress(bool wanted)
    : terminal_(::isatty(STDERR_FILENO) == 1),
      shown_(terminal_ || wanted),
      start_(Clock::now()),
      next_(start_ + kBetweenLines) {}

Progress::~Progress() {
  if (line_open_) std::fputc('\n', stderr);
}

double Progress::seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

void Progress::report(std::int64_t generations, int uncovered) {
  if (!shown_ || Clock::now() < next_) return;
  next_ = Clock::now() + kBetweenLines;
  std::fprintf(stderr, "%s%s, %s uncovered, %.1f s%s", terminal_ ? "\r\x1b[K" : "",
               counted(generations, "generation").c_str(), counted(uncovered, "pair").c_str(), seconds(),
               terminal_ ? "" : "\n");
  line_open_ = terminal_;
}

}  // namespace fnn
