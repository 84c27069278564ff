// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace fnn {

/// Exit codes of the program. They alone distinguish the kinds of failure.
enum ExitCode {
  kFound = 0,
  kInvalid = 1,         ///< check: the design is wrong
  kBadInput = 2,        ///< the command line or a document
  kNotFound = 3,        ///< design: the best one is written, with its uncovered pairs
  kInfeasible = 4,      ///< design: proved that there is none
  kInternalError = 70,  ///< a fault of the program itself
  kInterrupted = 128,  ///< design: plus the signal that ended it; the best so far is written
};

/// Runs the program; returns its exit code.
int run(int argc, const char* const* argv);

}  // namespace fnn
