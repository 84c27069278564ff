// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "spec/spec.h"

namespace fnn {

/// The wiring of a new design and the result of its search as text for people. `answer` is that of `design`.
std::string design_text(const Json& document, const Spec& spec, const Json& answer, const std::string& path);

}  // namespace fnn
