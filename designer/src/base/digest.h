// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "base/json_text.h"

namespace fnn {

/// "sha256:<hex>" over the compact text of a document; a design refers to its spec by it.
std::string digest(const Json& document);

}  // namespace fnn
