// SPDX-License-Identifier: GPL-3.0-or-later
// The structure of a spec: which keys there are, and what each may hold on its own.
#pragma once

#include "spec/shape.h"

namespace fnn {

/// The same as schemas/fnn-spec.schema.json, with the same messages.
const Check& spec_shape();

}  // namespace fnn
