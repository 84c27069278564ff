// SPDX-License-Identifier: GPL-3.0-or-later
// JSON as text: reading with a position for every syntax error, writing byte for byte as Python does.
//
// The same documents are read and written by Python (module_utils/fnn/controller/documents.py), and digests are
// taken over their text. Both sides must therefore write a document identically, down to the last digit
// of a number, and must report the same position in a broken file. The JSON library does neither; these
// two small passes do.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace fnn {

using Json = nlohmann::json;

/// Reads a file into a value. Throws BadInput when it cannot be read or is not JSON.
Json read_json(const std::string& path);

/// Reads text; `name` stands for the file in messages. Throws BadInput.
Json parse_json(std::string_view text, const std::string& name);

/// As Python's json.dumps(value, sort_keys=True, indent=2, ensure_ascii=False) + "\n".
std::string pretty(const Json& value);

/// As Python's json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).
std::string compact(const Json& value);

/// As `value`, but every float without a fraction is an integer (up to 2^53, where both are exact).
Json with_integers(const Json& value);

/// "a string", "an array", "null", ...: the JSON type of a value, for messages.
std::string type_name(const Json& value);

/// The value as a message shows it: scalars as JSON, containers by their type.
std::string shown(const Json& value);

/// The last part of a path, which is how messages name a file.
std::string file_name(const std::string& path);

}  // namespace fnn
