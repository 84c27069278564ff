// SPDX-License-Identifier: GPL-3.0-or-later
// Early stop: SIGINT (Ctrl-C) and SIGTERM request the best result so far.
//
// A stage that may take longer than a moment polls stop_requested(). After a request it returns what it
// has, as at its time limit. The program writes that and exits with 128 plus the signal's number.
#pragma once

#include <chrono>

namespace fnn {

/// The signal that requested the stop, or 0. As cheap as reading a number.
int stopping_signal();

inline bool stop_requested() { return stopping_signal() != 0; }

using Deadline = std::chrono::steady_clock::time_point;

/// Whether a stop is requested or the deadline has passed.
inline bool stop_requested(Deadline deadline) {
  return stop_requested() || std::chrono::steady_clock::now() >= deadline;
}

/// Installs the signal handlers. The first SIGINT or SIGTERM requests a stop; the second ends the process
/// at once, without leaving half a file behind. A SIGINT that is ignored at process start stays ignored.
void install_signal_handlers();

/// Requests a stop as if the signal had arrived here: another process of the group received it.
void request_stop(int signal);

}  // namespace fnn
