// SPDX-License-Identifier: GPL-3.0-or-later
// Stopping early: Ctrl-C and SIGTERM ask for the best so far, and whatever runs long asks now and then
// whether they have come.
//
// A stage that may take longer than the blink of an eye polls stop_requested() and then returns what
// it has, as if its time were up. The program writes that and ends with 128 plus the signal's number.
#pragma once

namespace fnn {

/// The signal that asked this run to end, or 0. Costs as much as reading a number.
int stopping_signal();

inline bool stop_requested() { return stopping_signal() != 0; }

/// From now on the first SIGINT or SIGTERM asks and the second ends the process at once, without
/// leaving half a file behind. A SIGINT that the process was started to ignore stays ignored.
void heed_signals();

/// As if the signal had come: another process of the same run heard it.
void request_stop(int signal);

}  // namespace fnn
