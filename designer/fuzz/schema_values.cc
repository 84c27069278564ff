// SPDX-License-Identifier: GPL-3.0-or-later
#include "schema_values.h"

#include <algorithm>

namespace fnn::fuzzing {
namespace {

constexpr int kDeepest = 6;
constexpr std::size_t kMostItems = 4;  // more than the schema demands
constexpr std::size_t kSmall = 9;
constexpr std::int64_t kUnlimited = 1'000'000'000;

bool has_type(const Json& schema, const char* type) {
  const auto given = schema.find("type");
  if (given == schema.end()) return false;
  return *given == type || (given->is_array() && std::find(given->begin(), given->end(), type) != given->end());
}

}  // namespace

const Json* schema_at(const Json& schema, const std::vector<std::string>& path) {
  const Json* here = &schema;
  for (const std::string& step : path) {
    const auto properties = here->find("properties");
    if (has_type(*here, "object") && properties != here->end() && properties->contains(step)) {
      here = &(*properties)[step];
      continue;
    }
    const bool is_index = !step.empty() && step.size() < 6 && std::all_of(step.begin(), step.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (!is_index || !has_type(*here, "array")) return nullptr;
    const std::size_t index = std::stoul(step);
    if (const auto first = here->find("prefixItems"); first != here->end() && index < first->size()) here = &(*first)[index];
    else if (here->contains("items") && (*here)["items"].is_object()) here = &(*here)["items"];
    else return nullptr;
  }
  return here;
}

std::string SchemaValues::name(std::size_t longest) {
  if (!names_.empty() && !random_.one_in(3)) {
    const std::string& known = names_[random_.below(names_.size())];
    if (known.size() <= longest) return known;
  }
  std::string made(1, static_cast<char>('a' + random_.below(26)));
  made += std::to_string(random_.below(100));
  names_.push_back(made);
  return made;
}

Json SchemaValues::make(const Json& schema, int depth) {
  if (schema.contains("const")) return schema["const"];
  if (schema.contains("enum")) return schema["enum"][random_.below(schema["enum"].size())];
  const auto type = schema.find("type");
  if (type == schema.end()) return nullptr;
  if (type->is_string()) return make_of_type(*type, schema, depth);
  return make_of_type((*type)[random_.below(type->size())], schema, depth);
}

Json SchemaValues::make_of_type(const std::string& type, const Json& schema, int depth) {
  if (type == "object") return object(schema, depth + 1);
  if (type == "array") return array(schema, depth + 1);
  if (type == "integer") return integer(schema);
  if (type == "number") return number(schema);
  if (type == "boolean") return random_.one_in(2);
  if (type == "string") return name(schema.contains("pattern") ? 15 : 40);
  return nullptr;
}

Json SchemaValues::object(const Json& schema, int depth) {
  Json made = Json::object();
  const Json required = schema.value("required", Json::array());
  for (const auto& item : schema.at("properties").items()) {
    const bool needed = std::find(required.begin(), required.end(), item.key()) != required.end();
    if (needed || (depth < kDeepest && random_.one_in(3))) made[item.key()] = make(item.value(), depth);
  }
  return made;
}

Json SchemaValues::array(const Json& schema, int depth) {
  Json made = Json::array();
  if (const auto first = schema.find("prefixItems"); first != schema.end()) {
    const std::size_t least = schema.value("minItems", std::size_t{0});
    const std::size_t count = least + random_.below(first->size() - least + 1);
    for (std::size_t i = 0; i < count; ++i) made.push_back(make((*first)[i], depth));
    return made;
  }
  const std::size_t count = schema.value("minItems", std::size_t{0}) + (depth < kDeepest ? random_.below(kMostItems) : 0);
  for (std::size_t i = 0; i < count; ++i) made.push_back(make(schema["items"], depth));
  return made;
}

Json SchemaValues::integer(const Json& schema) {
  const auto least = schema.value("minimum", std::int64_t{0});
  const auto most = schema.value("maximum", kUnlimited);
  switch (random_.below(64)) {
    case 0: return random_.one_in(2) ? least - 1 : most + 1;
    case 1: case 2: return most;
    case 3: case 4: return least;
    case 5: return static_cast<double>(least);
    default: return std::min(most, least + static_cast<std::int64_t>(random_.below(kSmall)));
  }
}

Json SchemaValues::number(const Json& schema) {
  const auto most = schema.value("maximum", kUnlimited);
  switch (random_.below(64)) {
    case 0: return -1;
    case 1: return 0;
    case 2: return schema.value("minimum", Json(1e-300));
    case 3: return schema.value("maximum", Json(1e300));
    case 4: return 5e-324;
    default: return std::min(static_cast<double>(most), static_cast<double>(1 + random_.below(40)) / 4);
  }
}

}  // namespace fnn::fuzzing
