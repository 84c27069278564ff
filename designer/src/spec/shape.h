// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes: a document's structure written down once, as a table that reads like its JSON Schema.
//
// A check looks at one value and reports everything wrong with it. Small checks make bigger ones:
//
//   const Check node = object_of({{"name", kRequired, matching("^[a-z][a-z0-9-]{0,14}$")}, ...});
//
// The wording of the messages is shared with module_utils/fnn/controller/schema.py, which derives its checks
// from schemas/*.json; tests/errors/spec/ holds both to the same lines.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/json_text.h"
#include "base/problem.h"

namespace fnn {

using Check = std::function<void(const Json& value, const std::string& at, Problems& problems)>;

inline constexpr bool kRequired = true;
inline constexpr bool kOptional = false;

struct Key {
  std::string name;
  bool required;
  Check check;
};

Check object_of(std::vector<Key> keys);
Check any_object();
Check array_of(Check item, std::size_t at_least, std::size_t at_most);
Check text();
/// A name pattern: lower case letter, then up to `longest` - 1 of a-z 0-9 -; 0 means no limit.
Check name_of_length(std::size_t longest);
/// An array whose items are judged by one check each, of which only the first `at_least` must be there.
Check tuple_of(std::vector<Check> items, std::size_t at_least);
/// "sha256:" and 64 hex digits.
Check sha256();
Check one_of(std::vector<std::string> words);
Check constant(Json value);
Check boolean();

/// Whole numbers; 5.0 is one. Limits above keep every count within an int.
Check positive_integer(std::int64_t at_most);
Check non_negative_integer(std::int64_t at_most);
Check integer_between(std::int64_t least, std::int64_t most);
/// Any number within the limits.
Check number_between(std::int64_t least, std::int64_t most);
Check any_number();
Check positive_number();
Check non_negative_number();
Check non_negative_number(std::int64_t at_most);

/// null, or what `check` takes; `words` name the latter, `fits` tells whether a value is its type.
Check or_null(Check check, std::string words, std::function<bool(const Json&)> fits);
/// A number is judged as a count, an array by `array`, all else is neither.
Check count_or(std::int64_t at_most, Check array);

}  // namespace fnn
