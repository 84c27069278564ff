// SPDX-License-Identifier: GPL-3.0-or-later
// Random values that a JSON Schema accepts, nearly always: the grammar of the fuzzer.
#pragma once

#include <string>
#include <vector>

#include "base/json_text.h"
#include "base/random.h"

namespace fnn::fuzzing {

/// Values for one document, whose names a reference may use.
class SchemaValues {
 public:
  SchemaValues(Random& random, std::vector<std::string> names) : random_(random), names_(std::move(names)) {}

  /// A value of the schema. One number in 16 is a limit of the schema, and one in 64 is beyond it.
  Json make(const Json& schema) { return make(schema, 0); }
  std::string name(std::size_t longest);

 private:
  Json make(const Json& schema, int depth);
  Json make_of_type(const std::string& type, const Json& schema, int depth);
  Json object(const Json& schema, int depth);
  Json array(const Json& schema, int depth);
  Json integer(const Json& schema);
  Json number(const Json& schema);

  Random& random_;
  std::vector<std::string> names_;
};

/// The part of a schema that describes the value at a JSON pointer; null where it describes none.
const Json* schema_at(const Json& schema, const std::vector<std::string>& path);

}  // namespace fnn::fuzzing
