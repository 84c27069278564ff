// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "base/json_text.h"

namespace fnn {

/// A spec in normal form as text for people: its nodes and switches by kind, and what the design must reach.
std::string spec_text(const Json& normal);

}  // namespace fnn
