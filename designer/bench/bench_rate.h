// SPDX-License-Identifier: GPL-3.0-or-later
// How often a second something can be done on one core.
//
// Seconds are those of the thread's own processor time, so that other programs do not count. Each rate is the best of
// several repetitions. A compiler may drop work whose result nobody uses: every result flows into a sum that is
// printed, and a barrier makes it forget what it knows of the arrays.
#pragma once

#include <cstdint>
#include <functional>

namespace fnn {

/// `work` does some, and says how much it did and adds what came out to the sum it is given.
double rate(const std::function<std::int64_t(std::int64_t&)>& work);

/// The sum of all that came out.
std::int64_t consumed();

}  // namespace fnn
