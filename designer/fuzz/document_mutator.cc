// SPDX-License-Identifier: GPL-3.0-or-later
#include "document_mutator.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "alternatives/price_list.h"
#include "base/digest.h"
#include "base/problem.h"
#include "design/design_reading.h"
#include "pipeline.h"
#include "schema_values.h"
#include "spec/spec.h"
#include "spec/spec_shape.h"

namespace fnn::fuzzing {
namespace {

using std::size_t;
using Path = std::vector<std::string>;

constexpr size_t kMostChanges = 4;
constexpr int kRepairs = 8;
constexpr int kAttempts = 3;

enum class Kind { kSpec, kDesign, kOther };

Kind kind_of(const Json& document) {
  if (!document.is_object() || !document.contains("format")) return Kind::kOther;
  return document["format"] == "fnn-spec" ? Kind::kSpec : document["format"] == "fnn-design" ? Kind::kDesign : Kind::kOther;
}

std::optional<Json> parsed(std::string_view text) {
  try {
    return parse_json(text, "fuzz");
  } catch (const BadInput&) {
    return std::nullopt;
  }
}

/// All names of a document: of nodes, switches, racks, NICs and so on.
void collect_names(const Json& value, std::vector<std::string>& names) {
  if (!value.is_structured()) return;
  if (value.is_object() && value.contains("name") && value["name"].is_string()) names.push_back(value["name"]);
  for (const Json& item : value) collect_names(item, names);
}

void rename_everywhere(Json& value, const std::string& from, const std::string& to) {
  if (value.is_structured()) {
    for (Json& item : value) rename_everywhere(item, from, to);
  } else if (value == from) {
    value = to;
  }
}

/// All values with a key.
void collect_values(const Json& value, const std::string& key, std::vector<const Json*>& found) {
  if (!value.is_structured()) return;
  for (const auto& item : value.items()) {
    if (value.is_object() && item.key() == key) found.push_back(&item.value());
    collect_values(item.value(), key, found);
  }
}

/// The schema of the value at a path; only specs have one here.
const Json* schema_of(const Json& document, const Path& path) {
  switch (kind_of(document)) {
    case Kind::kSpec: return schema_at(spec_schema(), path);
    case Kind::kDesign:
      if (path.empty() || path.front() != "spec") return nullptr;
      return schema_at(spec_schema(), Path(path.begin() + 1, path.end()));
    case Kind::kOther: break;
  }
  return nullptr;
}

Path steps_of(const std::string& pointer) {
  Path path;
  for (size_t at = 0; at < pointer.size();) {
    const size_t end = std::min(pointer.find('/', at + 1), pointer.size());
    path.push_back(pointer.substr(at + 1, end - at - 1));
    at = end;
  }
  return path;
}

Json* find(Json& document, const Path& path) {
  Json* here = &document;
  for (const std::string& step : path) {
    if (here->is_object() && here->contains(step)) here = &(*here)[step];
    else if (here->is_array() && !step.empty() && step.size() < 6 && std::isdigit(static_cast<unsigned char>(step[0])) &&
             std::stoul(step) < here->size()) {
      here = &(*here)[std::stoul(step)];
    } else {
      return nullptr;
    }
  }
  return here;
}

void erase(Json& document, Path path) {
  if (path.empty()) return;
  const std::string last = path.back();
  path.pop_back();
  Json* const parent = find(document, path);
  if (parent == nullptr) return;
  if (parent->is_object()) parent->erase(last);
  else if (find(*parent, {last}) != nullptr) parent->erase(std::stoul(last));
}

class Mutation {
 public:
  Mutation(Json& document, Random& random) : document_(document), random_(random) {}

  /// False if the readers still reject the document, although they should not.
  bool run() {
    if (random_.one_in(8)) exchange_spec_and_design();
    const Json format = document_.value("format", Json(nullptr));
    const size_t changes = 1 + random_.below(kMostChanges);
    for (size_t i = 0; i < changes; ++i) change();
    if (random_.one_in(8)) return true;
    // A spec without its format would be repaired as a price list, which leaves nothing of it.
    if (!document_.is_object()) document_ = Json::object();
    if (format.is_string()) document_["format"] = format;
    return repair();
  }

  bool repair() {
    for (int round = 0; round < kRepairs; ++round) {
      if (repair(round)) return true;
    }
    return false;
  }

 private:
  SchemaValues values() {
    std::vector<std::string> names;
    collect_names(document_, names);
    return {random_, std::move(names)};
  }

  /// A place of the document. Every level has an equal chance, so that a long list does not take all changes.
  Path place() {
    Path path;
    const Json* here = &document_;
    while (here->is_structured() && !here->empty() && !random_.one_in(4)) {
      auto item = here->begin();
      std::advance(item, static_cast<std::ptrdiff_t>(random_.below(here->size())));
      path.push_back(here->is_object() ? item.key() : std::to_string(std::distance(here->begin(), item)));
      here = &*item;
    }
    return path;
  }

  void change() {
    const Path path = place();
    Json* const value = find(document_, path);
    if (value == nullptr) return;
    switch (random_.below(10)) {
      case 0: case 1: return regenerate(path, *value);
      case 2: return erase(document_, path);
      case 3: return insert_item(path, *value);
      case 4: case 5: return add_key(path, *value);
      case 6: return tweak(*value);
      case 7: return copy_from_elsewhere(path, *value);
      case 8: return rename();
      default: return random_.one_in(4) ? replace_by_junk(*value) : exchange_items(*value);
    }
  }

  void regenerate(const Path& path, Json& value) {
    if (const Json* const schema = schema_of(document_, path)) value = values().make(*schema);
    else tweak(value);
  }

  void insert_item(const Path& path, Json& value) {
    if (!value.is_array()) return tweak(value);
    Path inside = path;
    inside.emplace_back("0");
    const Json* const schema = schema_of(document_, inside);
    Json item = nullptr;
    if (!value.empty() && (schema == nullptr || random_.one_in(2))) item = value[random_.below(value.size())];
    else if (schema != nullptr) item = values().make(*schema);
    if (item.is_object() && item.contains("name")) item["name"] = fresh_name();
    value.insert(value.begin() + static_cast<std::ptrdiff_t>(random_.below(value.size() + 1)), item);
  }

  void add_key(const Path& path, Json& value) {
    const Json* const schema = schema_of(document_, path);
    if (!value.is_object() || schema == nullptr || !schema->contains("properties")) return regenerate(path, value);
    const Json& properties = (*schema)["properties"];
    auto property = properties.begin();
    std::advance(property, static_cast<std::ptrdiff_t>(random_.below(properties.size())));
    value[property.key()] = values().make(property.value());
  }

  void tweak(Json& value) {
    if (value.is_string()) value = values().name(40);
    else if (value.is_boolean()) value = !value.get<bool>();
    else if (value.is_number_integer()) value = tweaked(value.get<std::int64_t>());
    else if (value.is_number()) value = value.get<double>() / 4 * static_cast<double>(random_.below(5));
    else if (value.is_array() && !value.empty()) value.erase(random_.below(value.size()));
  }

  std::int64_t tweaked(std::int64_t number) {
    constexpr std::int64_t kLarge = std::int64_t{1} << 53U;
    if (number > kLarge || number < -kLarge) return 1;
    switch (random_.below(6)) {
      case 0: return number + 1;
      case 1: return number - 1;
      case 2: return 2 * number;
      case 3: return number / 2;
      case 4: return static_cast<std::int64_t>(random_.below(12));
      default: return std::int64_t{1} << random_.below(63);
    }
  }

  void copy_from_elsewhere(const Path& path, Json& value) {
    if (path.empty()) return;
    std::vector<const Json*> same;
    collect_values(document_, path.back(), same);
    if (same.empty()) return tweak(value);
    const Json copy = *same[random_.below(same.size())];
    value = copy;
  }

  std::string fresh_name() { return std::string(1, static_cast<char>('a' + random_.below(26))) + std::to_string(random_.below(10000)); }

  void rename() {
    std::vector<std::string> names;
    collect_names(document_, names);
    if (!names.empty()) rename_everywhere(document_, names[random_.below(names.size())], fresh_name());
  }

  void exchange_items(Json& value) {
    if (!value.is_array() || value.size() < 2) return tweak(value);
    std::swap(value[random_.below(value.size())], value[random_.below(value.size())]);
  }

  void replace_by_junk(Json& value) {
    static const std::vector<Json> junk = {nullptr, true, -1, 0, 0.5, 1e308, "", "\xc3\xa9", Json::array(), Json::object(),
                                           Json::array({Json::array()}), "a/b~c", 4294967296, -9223372036854775807};
    value = junk[random_.below(junk.size())];
  }

  /// A spec becomes a design of the engine, and a design its spec. So the checks of designs get true ones.
  void exchange_spec_and_design() {
    if (kind_of(document_) == Kind::kDesign && document_.contains("spec")) {
      const Json spec = document_["spec"];
      document_ = spec;
    } else if (kind_of(document_) == Kind::kSpec) {
      try {
        const Spec spec = read_spec(document_);
        if (!is_small(spec)) return;
        if (auto design = designed(spec, static_cast<std::int64_t>(random_.below(100)))) document_ = std::move(*design);
      } catch (const BadInput&) {  // not yet a spec
      }
    }
  }

  /// True if the reader accepts the document.
  bool repair(int round) {
    try {
      switch (kind_of(document_)) {
        case Kind::kSpec: read_spec(document_); break;
        case Kind::kDesign:
          if (document_.contains("spec")) document_["spec_digest"] = digest(document_["spec"]);
          read_design(document_);
          break;
        case Kind::kOther: read_price_list(document_); break;
      }
      return true;
    } catch (const BadInput& bad) {
      const auto& problems = bad.problems();
      // From the last, so that the numbers of items before it stay.
      for (auto problem = problems.rbegin(); problem != problems.rend(); ++problem) repair_at(problem->at, round);
      return false;
    }
  }

  /// First another value, then none, then none of the item that it is part of.
  void repair_at(const std::string& pointer, int round) {
    if (pointer.empty() || pointer[0] != '/') return;
    Path path = steps_of(pointer);
    Json* const value = find(document_, path);
    if (const Json* const schema = schema_of(document_, path); schema != nullptr && (value == nullptr || round % 2 == 0)) {
      Path above = path;
      above.pop_back();
      Json* const parent = find(document_, above);
      if (value != nullptr) *value = path.back() == "name" ? Json(fresh_name()) : values().make(*schema);
      else if (parent != nullptr && parent->is_object()) (*parent)[path.back()] = values().make(*schema);
      return;
    }
    for (int level = 1; level < round && path.size() > 2; level += 2) path.pop_back();
    erase(document_, path);
  }

  Json& document_;
  Random& random_;
};

}  // namespace

std::string mutate_document(std::string_view text, Random& random) {
  std::optional<Json> document = parsed(text);
  if (!document || !document->is_object()) {
    document = SchemaValues(random, {}).make(spec_schema());
    (*document)["topology"] = "fnn";
  }
  Json mutated;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    mutated = *document;
    if (Mutation(mutated, random).run()) break;
  }
  return compact(mutated);
}

std::string cross_documents(std::string_view text, std::string_view other, Random& random) {
  std::optional<Json> document = parsed(text);
  const std::optional<Json> second = parsed(other);
  if (!document || !second || !document->is_object() || document->empty() || !second->is_object()) return std::string(text);
  auto item = document->begin();
  std::advance(item, static_cast<std::ptrdiff_t>(random.below(document->size())));
  std::vector<const Json*> same;
  collect_values(*second, item.key(), same);
  if (same.empty()) return std::string(text);
  *item = *same[random.below(same.size())];
  if (!random.one_in(8)) Mutation(*document, random).repair();
  return compact(*document);
}

}  // namespace fnn::fuzzing
