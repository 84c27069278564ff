// SPDX-License-Identifier: GPL-3.0-or-later
// Advising: what the program says of a spec that has more than coverage needs.
#pragma once

#include "base/json_text.h"
#include "design/cabling.h"
#include "spec/spec.h"

namespace fnn {

/// Tells on stderr, too. Null when the oracle knows of nothing leaner.
Json advise(const Spec& spec, const Cabling& cabling);

}  // namespace fnn
