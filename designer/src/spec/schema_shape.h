// SPDX-License-Identifier: GPL-3.0-or-later
// The checks of a JSON Schema, as module_utils/fnn/controller/schema.py makes them for Python.
#pragma once

#include "spec/shape.h"

namespace fnn {

/// Supports the keywords that schemas/fnn-spec.schema.json has. A name is the only `pattern`; a union of types is a
/// type or null, or a count or an array. Throws std::logic_error for any other schema.
Check shape_of_schema(const Json& schema);

}  // namespace fnn
