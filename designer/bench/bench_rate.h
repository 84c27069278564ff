// SPDX-License-Identifier: GPL-3.0-or-later
// Measures operations per second on one core.
//
// The clock is the processor time of the thread, which excludes other programs. Each rate is the best of several
// repetitions. A compiler may eliminate work with an unused result: every result is added to a sum that is printed,
// and a memory clobber makes the compiler reload the arrays.
#pragma once

#include <cstdint>
#include <functional>

namespace fnn {

/// `work` executes some operations, returns their number, and adds their results to its argument.
double rate(const std::function<std::int64_t(std::int64_t&)>& work);

/// The sum of all results.
std::int64_t consumed();

}  // namespace fnn
