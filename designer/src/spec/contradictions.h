// SPDX-License-Identifier: GPL-3.0-or-later
// Semantic errors of a spec with a valid structure: duplicate names, more reserved ports than ports, pinned cables
// without a NIC or switch.
#pragma once

#include <string>

#include "base/problem.h"

namespace fnn {

/// `spec` is in normal form, at JSON pointer `at`.
void find_contradictions(const Json& spec, const std::string& at, Problems& problems);

}  // namespace fnn
