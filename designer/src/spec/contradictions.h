// SPDX-License-Identifier: GPL-3.0-or-later
// What is wrong with the meaning of a spec whose structure is sound: names used twice, more ports
// reserved than there are, cables pinned to what is not there.
#pragma once

#include <string>

#include "base/problem.h"

namespace fnn {

/// `spec` is in normal form and stands at the place `at`.
void find_contradictions(const Json& spec, const std::string& at, Problems& problems);

}  // namespace fnn
