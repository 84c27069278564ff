// SPDX-License-Identifier: GPL-3.0-or-later
// The normal form of a spec: every default written out and every whole number an integer, so that
// the digest of a spec changes exactly when its meaning does. Racks and pins are left out when there
// are none, as in all documents from before there were any.
#pragma once

#include "base/json_text.h"

namespace fnn {

/// `sound` has the structure of a spec. Pairs stay as they are given, also as the name of a file:
/// settling them needs the names of the nodes (patterns_reading.h).
Json normal_form(const Json& sound);

}  // namespace fnn
