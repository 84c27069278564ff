// SPDX-License-Identifier: GPL-3.0-or-later
// The structure of a spec: its keys, and the values each may have on its own.
#pragma once

#include "spec/shape.h"

namespace fnn {

/// Equivalent to schemas/fnn-spec.schema.json, with the same messages.
const Check& spec_shape();

}  // namespace fnn
