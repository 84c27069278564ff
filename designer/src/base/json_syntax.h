// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the first syntax error of a JSON text, at the same character as Python's json.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace fnn {

/// Deeper nesting is rejected.
inline constexpr int kDeepestNesting = 200;

struct SyntaxError {
  std::size_t line;    ///< from 1
  std::size_t column;  ///< from 1, in characters, not bytes
};

/// Nothing when `text` (valid UTF-8) is one JSON value with blanks around it.
std::optional<SyntaxError> find_syntax_error(std::string_view text);

/// Whether `text` is well-formed UTF-8 (no surrogates, no overlong forms).
bool is_utf8(std::string_view text);

}  // namespace fnn
