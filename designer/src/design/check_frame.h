// SPDX-License-Identifier: GPL-3.0-or-later
// The checks of a design that hold for every topology: its spec, and its lists of nodes and switches.
#pragma once

#include "base/json_text.h"
#include "base/problem.h"

namespace fnn {

/// `spec`: the normal form of the spec inside.
void check_frame(const Json& document, const Json& spec, Problems& problems);

}  // namespace fnn
