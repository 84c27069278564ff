// SPDX-License-Identifier: GPL-3.0-or-later
// Small families that no formula gives: found by search once, and kept.
#pragma once

#include <vector>

#include "oracle/families.h"

namespace fnn {

const std::vector<Family>& small_families();

}  // namespace fnn
