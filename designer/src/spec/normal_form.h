// SPDX-License-Identifier: GPL-3.0-or-later
// The normal form of a spec: every default is explicit and every whole number is an integer, so that the digest of a
// spec changes exactly when its meaning does. Empty racks and pins are omitted, for compatibility with older
// documents.
#pragma once

#include "base/json_text.h"

namespace fnn {

/// `sound` has the structure of a spec. Pairs stay as given, including the name of a file: their normal form needs
/// the names of the nodes (pattern_reading.h).
Json normal_form(const Json& sound);

}  // namespace fnn
