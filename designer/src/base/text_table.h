// SPDX-License-Identifier: GPL-3.0-or-later
// Plain text for people: aligned columns and wrapped lists, without escape sequences.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace fnn {

using Row = std::vector<std::string>;

inline constexpr std::size_t kTextWidth = 100;

/// Lines with columns aligned to the left. If they are wider than kTextWidth, the last columns follow in tables below,
/// each with the first column.
std::string text_table(const std::vector<Row>& rows);

/// A line for each row as in text_table(). The list of words that belongs to a row follows it and is wrapped at
/// kTextWidth, below the line if there is no room beside it.
std::string text_lists(const std::vector<Row>& rows, const std::vector<Row>& lists);

/// `head` and a list of words on one line, wrapped at kTextWidth.
std::string text_list(const std::string& head, const Row& words);

/// Text of any origin with a question mark for each control character, cut to `longest` characters.
std::string plain_text(const std::string& text, std::size_t longest);

/// A number with at most four significant digits.
std::string short_number(double value);

}  // namespace fnn
