// SPDX-License-Identifier: GPL-3.0-or-later
// The structure of a spec: its keys, the values each may have on its own, and their defaults.
#pragma once

#include "spec/shape.h"

namespace fnn {

/// schemas/fnn-spec.schema.json, which is compiled into the program.
const Json& spec_schema();

/// The checks of that schema.
const Check& spec_shape();

}  // namespace fnn
