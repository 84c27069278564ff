// SPDX-License-Identifier: GPL-3.0-or-later
#include "spec/spec_shape.h"

#include "spec/schema_shape.h"
#include "spec_schema.h"

namespace fnn {

const Json& spec_schema() {
  static const Json schema = Json::parse(kSpecSchemaText);
  return schema;
}

const Check& spec_shape() {
  static const Check shape = shape_of_schema(spec_schema());
  return shape;
}

}  // namespace fnn
