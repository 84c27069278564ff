// SPDX-License-Identifier: GPL-3.0-or-later
// Whether this process is one of several that mpirun started, and how it reaches the others.
#pragma once

#include <cstddef>
#include <memory>

#include "search/post.h"

namespace fnn {

/// One of several processes, and not the one that answers the user.
bool is_follower();

/// A follower says nothing: what is wrong, its leader tells, too.
void hush_follower();

/// Launchers end a job with the first process that fails. So a follower that fails gives its leader, which fails for the
/// same reason, two seconds to report it.
void wait_for_leader();

/// The processors of this machine, shared out among the processes on it.
std::size_t threads_for_us();

/// Null when this process is alone. Throws BadInput when it is not, but MPI cannot be had.
std::unique_ptr<Post> open_post();

}  // namespace fnn
