// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "design/wiring.h"

namespace fnn {

/// Whether more than a tenth of the cables differ between two wirings of the same cluster, with the
/// switches of one renamed for the best match. Two islands seldom give the same neighborhood to the
/// same switch, so compared by name all their wirings would differ.
bool differ_widely(const Wiring& one, const Wiring& other);

}  // namespace fnn
