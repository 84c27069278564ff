// SPDX-License-Identifier: GPL-3.0-or-later
// Reading patterns of a spec: reports errors and converts pairs to normal form.
#pragma once

#include <optional>
#include <string>

#include "base/problem.h"

namespace fnn {

/// Checks `patterns` and `goals` of a spec in normal form at JSON pointer `at`, and converts their pairs. Pairs from
/// files are read into the spec, which is then self-contained. Each pair is named once, in rank order, with the sum
/// of its weights. Files are read from `directory`; without a directory they are rejected.
void normalize_patterns(Json& spec, const std::string& at, const std::optional<std::string>& directory,
                        Problems& problems);

}  // namespace fnn
