// SPDX-License-Identifier: GPL-3.0-or-later
// Small families without a formula, found once by search.
#pragma once

#include <vector>

#include "oracle/families.h"

namespace fnn {

const std::vector<Family>& small_families();

}  // namespace fnn
