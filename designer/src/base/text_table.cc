// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/text_table.h"

#include <algorithm>
#include <cstdio>

namespace fnn {
namespace {

constexpr std::size_t kGap = 2;
constexpr std::size_t kIndent = 4;

bool starts_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80; }

/// Characters of UTF-8 text.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts_character));
}

std::vector<std::size_t> column_widths(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  }
  return widths;
}

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(width - std::min(width, width_of(text)), ' ');
}

std::string without_trailing_spaces(const std::string& line) { return line.substr(0, line.find_last_not_of(' ') + 1); }

/// The first column and those from `begin` to before `end`.
std::string part_of_table(const std::vector<Row>& rows, const std::vector<std::size_t>& widths, std::size_t begin,
                          std::size_t end) {
  std::string text;
  for (const Row& row : rows) {
    std::string line = row.empty() ? "" : padded(row[0], widths[0]);
    for (std::size_t i = begin; i < std::min(end, row.size()); ++i) {
      line += std::string(kGap, ' ') + padded(row[i], widths[i]);
    }
    text += without_trailing_spaces(line) + "\n";
  }
  return text;
}

/// Words on lines of at most kTextWidth; the first line begins at column `used`, the others at `indent`.
std::string wrapped(const Row& words, std::size_t used, std::size_t indent) {
  std::string text;
  std::size_t column = used;
  for (const std::string& word : words) {
    const bool first = column == used && text.empty();
    const std::size_t gap = first ? 0 : 1;
    if (!first && column + gap + width_of(word) > kTextWidth) {
      text += "\n" + std::string(indent, ' ');
      column = indent;
    } else {
      text += std::string(gap, ' ');
      column += gap;
    }
    text += word;
    column += width_of(word);
  }
  return text;
}

}  // namespace

std::string text_table(const std::vector<Row>& rows) {
  const std::vector<std::size_t> widths = column_widths(rows);
  if (widths.empty()) return "";
  std::string text;
  for (std::size_t begin = 1; begin < widths.size() || text.empty();) {
    std::size_t end = begin;
    std::size_t width = widths[0];
    while (end < widths.size() && (end == begin || width + kGap + widths[end] <= kTextWidth)) {
      width += kGap + widths[end++];
    }
    text += (text.empty() ? "" : "\n") + part_of_table(rows, widths, begin, end);
    begin = end;
  }
  return text;
}

std::string text_lists(const std::vector<Row>& rows, const std::vector<Row>& lists) {
  const std::vector<std::size_t> widths = column_widths(rows);
  std::size_t head = 0;
  for (const std::size_t width : widths) head += width + kGap;
  std::size_t longest = 0;
  for (const Row& words : lists) {
    for (const std::string& word : words) longest = std::max(longest, width_of(word));
  }
  std::string text;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::string line;
    for (std::size_t column = 0; column < rows[i].size(); ++column) {
      line += padded(rows[i][column], widths[column]) + std::string(kGap, ' ');
    }
    if (head + longest <= kTextWidth) {
      text += without_trailing_spaces(line + wrapped(lists[i], head, head)) + "\n";
    } else {
      text += without_trailing_spaces(line) + "\n";
      if (!lists[i].empty()) text += std::string(kIndent, ' ') + wrapped(lists[i], kIndent, kIndent) + "\n";
    }
  }
  return text;
}

std::string text_list(const std::string& head, const Row& words) {
  return head + " " + wrapped(words, width_of(head) + 1, kIndent) + "\n";
}

std::string plain_text(const std::string& text, std::size_t longest) {
  std::string plain;
  std::size_t characters = 0;
  for (const char byte : text) {
    if (starts_character(byte) && ++characters > longest) break;
    const bool control = static_cast<unsigned char>(byte) < 0x20 || byte == 0x7F;
    plain += control ? '?' : byte;
  }
  return plain;
}

std::string short_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

}  // namespace fnn
