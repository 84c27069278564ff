// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes: the structure of a document as a table of checks that reads like its JSON Schema.
//
// A check examines one value and reports all its problems. Checks are composable:
//
//   const Check node = object_of({{"name", kRequired, host_name()}, ...});
//
// schema_shape.h makes such a check from a JSON Schema. module_utils/fnn/controller/schema.py derives its checks from
// schemas/*.json with the same messages; tests/errors/spec/ requires them from both.
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
/// A name of lower case letters, digits and hyphens, first a letter, of up to `longest` characters; 0 means no limit.
Check name_of_length(std::size_t longest);
/// The pattern of host names in schemas/, and its check: case, hyphens, underscores and dots may be in it.
inline constexpr const char* kHostNamePattern =
    R"(^(?=.*[A-Za-z])(?!.*[._-]\.)(?!.*\.[_-])[A-Za-z0-9]([A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$)";
inline constexpr std::size_t kLongestHostName = 64;
bool is_host_name(const std::string& text);
std::string host_name_in_words();
Check host_name();
/// An array with one check per item, of which only the first `at_least` are required.
Check tuple_of(std::vector<Check> items, std::size_t at_least);
/// "sha256:" and 64 hex digits.
Check sha256();
Check one_of(std::vector<std::string> words);
Check constant(Json value);
Check boolean();

/// Whole numbers, including 5.0. The upper limits keep every count within an int.
Check positive_integer(std::int64_t at_most);
Check non_negative_integer(std::int64_t at_most);
Check integer_between(std::int64_t least, std::int64_t most);
/// Any number within the limits.
Check number_between(std::int64_t least, std::int64_t most);
Check any_number();
Check positive_number();
Check positive_number(std::int64_t at_most);
Check non_negative_number();
Check non_negative_number(std::int64_t at_most);

/// null, or a value accepted by `check`; `words` name the latter in messages, `fits` tests for its type.
Check or_null(Check check, std::string words, std::function<bool(const Json&)> fits);
/// A string is accepted, an object is checked by `object`; all other values are errors.
Check text_or(Check object);
/// A number is checked as a count, an array by `array`; all other values are errors.
Check count_or(std::int64_t at_most, Check array);

}  // namespace fnn
