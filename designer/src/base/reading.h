// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace fnn {

/// The bytes of a file. Throws BadInput when it cannot be read.
std::string read_text(const std::string& path);

}  // namespace fnn
