// SPDX-License-Identifier: GPL-3.0-or-later
// The advice for a spec with more hardware than coverage needs.
#pragma once

#include "base/json_text.h"
#include "design/cabling.h"
#include "spec/spec.h"

namespace fnn {

/// Returns the advice and also prints it on stderr. Null when the oracle finds nothing leaner.
Json advise(const Spec& spec, const Cabling& cabling);

}  // namespace fnn
