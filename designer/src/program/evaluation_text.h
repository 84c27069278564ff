// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "base/json_text.h"

namespace fnn {

/// The answer of `evaluate` as text for people: the headlines, and the comparison with other networks.
std::string evaluation_text(const Json& answer);

}  // namespace fnn
