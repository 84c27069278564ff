// SPDX-License-Identifier: GPL-3.0-or-later
// Patterns as a spec gives them: what is wrong with each, and its pairs settled for the normal form.
#pragma once

#include <optional>
#include <string>

#include "base/problem.h"

namespace fnn {

/// Looks at `patterns` and `goals` of a spec in normal form that stands at the place `at`. Pairs are
/// settled on the way: those of a file are read into the spec, which from then on stands by itself,
/// and each pair is named once, in rank order, with the sum of its weights. Files are looked for in
/// `directory`; without one they are refused.
void settle_patterns(Json& spec, const std::string& at, const std::optional<std::string>& directory,
                     Problems& problems);

}  // namespace fnn
