// SPDX-License-Identifier: GPL-3.0-or-later
#include "spec/schema_shape.h"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <set>
#include <stdexcept>

namespace fnn {
namespace {

constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();

void require_known_keywords(const Json& schema) {
  static const std::set<std::string> known = {
      "$schema",    "$id",      "$comment", "title",    "description", "default",     "default_from",
      "type",       "const",    "enum",     "pattern",  "minimum",     "maximum",     "exclusiveMinimum",
      "properties", "required", "items",    "minItems", "maxItems",    "prefixItems", "additionalProperties"};
  for (const auto& item : schema.items()) {
    if (!known.contains(item.key())) throw std::logic_error("a schema has the unknown keyword " + item.key());
  }
}

Check object_shape(const Json& schema) {
  const Json required = schema.value("required", Json::array());
  std::vector<Key> keys;
  for (const auto& item : schema.at("properties").items()) {
    const bool needed = std::find(required.begin(), required.end(), item.key()) != required.end();
    keys.push_back({item.key(), needed, shape_of_schema(item.value())});
  }
  return object_of(std::move(keys));
}

Check array_shape(const Json& schema) {
  const std::size_t at_least = schema.value("minItems", 0U);
  if (!schema.contains("prefixItems")) {
    return array_of(shape_of_schema(schema.at("items")), at_least, schema.at("maxItems").get<std::size_t>());
  }
  std::vector<Check> items;
  for (const Json& item : schema["prefixItems"]) items.push_back(shape_of_schema(item));
  return tuple_of(std::move(items), at_least);
}

Check string_shape(const Json& schema) {
  if (!schema.contains("pattern")) return text();
  const std::string pattern = schema["pattern"];
  if (pattern == kHostNamePattern) return host_name();
  const std::string name = "^[a-z][a-z0-9-]";
  std::size_t more = 0;
  if (pattern == name + "*$") return name_of_length(0);
  if (std::sscanf(pattern.c_str(), "^[a-z][a-z0-9-]{0,%zu}$", &more) != 1 ||
      pattern != name + "{0," + std::to_string(more) + "}$") {
    throw std::logic_error("a schema has the unknown pattern " + pattern);
  }
  return name_of_length(more + 1);
}

Check integer_shape(const Json& schema) {
  const auto least = schema.at("minimum").get<std::int64_t>();
  const std::int64_t most = schema.value("maximum", kNoLimit);
  if (least == 1) return positive_integer(most);
  return least == 0 ? non_negative_integer(most) : integer_between(least, most);
}

Check number_shape(const Json& schema) {
  if (schema.contains("exclusiveMinimum")) {
    return schema.contains("maximum") ? positive_number(schema["maximum"].get<std::int64_t>()) : positive_number();
  }
  if (!schema.contains("minimum")) return any_number();
  const auto least = schema["minimum"].get<std::int64_t>();
  if (least != 0) return number_between(least, schema.at("maximum").get<std::int64_t>());
  return schema.contains("maximum") ? non_negative_number(schema["maximum"].get<std::int64_t>()) : non_negative_number();
}

Check shape_of_type(const std::string& type, const Json& schema) {
  if (type == "object") return object_shape(schema);
  if (type == "array") return array_shape(schema);
  if (type == "string") return string_shape(schema);
  if (type == "integer") return integer_shape(schema);
  if (type == "number") return number_shape(schema);
  if (type == "boolean") return boolean();
  throw std::logic_error("a schema has the unknown type " + type);
}

/// The valid numbers in words, as a message names them.
std::string range_in_words(const std::string& type, const Json& schema) {
  const std::string article = type == "integer" ? "an " : "a ";
  if (schema.contains("exclusiveMinimum") || schema.value("minimum", Json()) == 1) return "a positive " + type;
  if (!schema.contains("minimum")) return article + type;
  if (schema["minimum"] == 0) return "a non-negative " + type;
  return article + type + " from " + compact(schema["minimum"]) + " to " + compact(schema.at("maximum"));
}

Check nullable_shape(const std::string& type, const Json& schema) {
  const Check check = shape_of_type(type, schema);
  if (type == "object") return or_null(check, "an object", [](const Json& value) { return value.is_object(); });
  if (type == "string") return or_null(check, "a string", [](const Json& value) { return value.is_string(); });
  if (type != "integer" && type != "number") throw std::logic_error("a schema has the unknown type " + type + " or null");
  return or_null(check, range_in_words(type, schema), [](const Json& value) { return value.is_number(); });
}

}  // namespace

Check shape_of_schema(const Json& schema) {
  require_known_keywords(schema);
  if (schema.contains("const")) return constant(schema["const"]);
  if (schema.contains("enum")) return one_of(schema["enum"].get<std::vector<std::string>>());
  const Json& type = schema.at("type");
  if (type.is_string()) return shape_of_type(type.get<std::string>(), schema);
  if (type.size() == 2 && type[1] == "null") return nullable_shape(type[0].get<std::string>(), schema);
  if (type == Json::array({"object", "string"})) return text_or(object_shape(schema));
  if (type != Json::array({"integer", "array"})) throw std::logic_error("a schema has an unknown union of types");
  return count_or(schema.at("maximum").get<std::int64_t>(), array_shape(schema));
}

}  // namespace fnn
