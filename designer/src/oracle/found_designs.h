// SPDX-License-Identifier: GPL-3.0-or-later
// Designs with more nodes than any other family reaches with so few switches, found once by search.
#pragma once

#include <vector>

#include "oracle/families.h"

namespace fnn {

/// Each as a family with `copies`.
const std::vector<Family>& found_designs();

}  // namespace fnn
