// SPDX-License-Identifier: GPL-3.0-or-later
// Detects whether mpirun started several processes, and opens the transport between them.
#pragma once

#include <cstddef>
#include <memory>

#include "search/transport.h"

namespace fnn {

/// Whether a launcher such as mpirun started this process. mpirun gives each process a terminal of its own as standard
/// output, and copies what it reads there.
bool has_launcher();

/// Whether this is one of several processes and not rank 0, which answers the user.
bool is_follower();

/// Silences the output of a follower: rank 0 reports the same errors.
void silence_follower();

/// Launchers end a job when its first process fails. A failed follower therefore waits two seconds, in which rank 0,
/// which fails for the same reason, can report it.
void wait_for_leader();

/// The processors of this machine, divided among the processes on it.
std::size_t threads_per_process();

/// Null for a single process. Throws BadInput when there are several and MPI cannot be loaded.
std::unique_ptr<Transport> open_transport();

}  // namespace fnn
