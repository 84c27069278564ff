// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/json_syntax.h"

#include <algorithm>

namespace fnn {
namespace {

/// A recursive-descent scanner. A failed step stores the position of the error in error_.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::optional<std::size_t> error() {
    skip_blanks();
    if (!value(0)) return error_;
    skip_blanks();
    if (at_ != text_.size()) return at_;
    return std::nullopt;
  }

 private:
  bool fail(std::size_t where) {
    error_ = where;
    return false;
  }

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void skip_blanks() {
    while (at_ < text_.size() && std::string_view(" \t\n\r").find(text_[at_]) != std::string_view::npos) ++at_;
  }

  bool value(int depth) {
    if (depth > kDeepestNesting) return fail(at_);
    switch (peek()) {
      case '{': return object(depth);
      case '[': return array(depth);
      case '"': return string();
      case 't': return literal("true");
      case 'f': return literal("false");
      case 'n': return literal("null");
      default: return number();
    }
  }

  bool literal(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return fail(at_);
    at_ += word.size();
    return true;
  }

  bool object(int depth) {
    ++at_;
    skip_blanks();
    if (peek() == '}') return ++at_, true;
    while (true) {
      if (peek() != '"') return fail(at_);
      if (!string()) return false;
      skip_blanks();
      if (peek() != ':') return fail(at_);
      ++at_;
      skip_blanks();
      if (!value(depth + 1)) return false;
      skip_blanks();
      if (peek() == '}') return ++at_, true;
      if (peek() != ',') return fail(at_);
      ++at_;
      skip_blanks();
    }
  }

  bool array(int depth) {
    ++at_;
    skip_blanks();
    if (peek() == ']') return ++at_, true;
    while (true) {
      if (!value(depth + 1)) return false;
      skip_blanks();
      if (peek() == ']') return ++at_, true;
      if (peek() != ',') return fail(at_);
      ++at_;
      skip_blanks();
    }
  }

  /// An unterminated string is an error at its opening quote, everything else at its own place.
  bool string() {
    const std::size_t open = at_++;
    while (true) {
      if (at_ >= text_.size()) return fail(open);
      const auto c = static_cast<unsigned char>(text_[at_]);
      if (c == '"') return ++at_, true;
      if (c < 0x20) return fail(at_);
      if (c != '\\') {
        ++at_;
      } else if (!escape(open)) {
        return false;
      }
    }
  }

  bool escape(std::size_t open) {
    const std::size_t backslash = at_++;
    if (at_ >= text_.size()) return fail(open);
    const char kind = text_[at_];
    if (kind != 'u') {
      if (std::string_view("\"\\/bfnrt").find(kind) == std::string_view::npos) return fail(backslash);
      ++at_;
      return true;
    }
    unsigned unit = 0;
    if (!hex_unit(unit)) return fail(at_);
    if (unit >= 0xDC00 && unit <= 0xDFFF) return fail(backslash);
    if (unit < 0xD800 || unit > 0xDBFF) return true;
    // The first half of a surrogate pair must be followed by the second.
    if (text_.substr(at_, 2) != "\\u") return fail(backslash);
    ++at_;
    if (!hex_unit(unit)) return fail(at_);
    return (unit >= 0xDC00 && unit <= 0xDFFF) || fail(backslash);
  }

  /// Starts with at_ on the u and ends with at_ behind the four digits.
  bool hex_unit(unsigned& unit) {
    const std::string_view digits = text_.substr(at_ + 1, 4);
    if (digits.size() < 4 || digits.find_first_not_of("0123456789abcdefABCDEF") != std::string_view::npos) {
      return false;
    }
    unit = static_cast<unsigned>(std::stoul(std::string(digits), nullptr, 16));
    at_ += 5;
    return true;
  }

  std::size_t digits(std::size_t from) const {
    std::size_t end = from;
    while (end < text_.size() && text_[end] >= '0' && text_[end] <= '9') ++end;
    return end;
  }

  /// Like Python, takes the longest number and leaves the rest of the characters to its caller.
  bool number() {
    const std::size_t first = at_ + (peek() == '-' ? 1 : 0);
    std::size_t end = digits(first);
    if (end == first) return fail(at_);
    if (text_[first] == '0') end = first + 1;
    if (end < text_.size() && text_[end] == '.' && digits(end + 1) > end + 1) end = digits(end + 1);
    if (end < text_.size() && (text_[end] == 'e' || text_[end] == 'E')) {
      const bool sign = end + 1 < text_.size() && (text_[end + 1] == '+' || text_[end + 1] == '-');
      const std::size_t exponent = end + (sign ? 2 : 1);
      if (digits(exponent) > exponent) end = digits(exponent);
    }
    at_ = end;
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t error_ = 0;
};

}  // namespace

std::optional<SyntaxError> find_syntax_error(std::string_view text) {
  const std::optional<std::size_t> where = Scanner(text).error();
  if (!where) return std::nullopt;
  const std::string_view before = text.substr(0, *where);
  const std::size_t newline = before.rfind('\n');
  const std::string_view line = newline == std::string_view::npos ? before : before.substr(newline + 1);
  const auto starts_character = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; };
  return SyntaxError{
      1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')),
      1 + static_cast<std::size_t>(std::count_if(line.begin(), line.end(), starts_character))};
}

bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t more = lead < 0x80 ? 0 : lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
    if ((lead >= 0x80 && lead < 0xC2) || lead > 0xF4 || i + more >= text.size()) return false;
    unsigned long code = more == 0 ? lead : lead & (0x3FU >> more);
    for (std::size_t k = 1; k <= more; ++k) {
      const auto next = static_cast<unsigned char>(text[i + k]);
      if ((next & 0xC0U) != 0x80U) return false;
      code = code << 6U | (next & 0x3FU);
    }
    const bool overlong = (more == 2 && code < 0x800) || (more == 3 && code < 0x10000);
    if (overlong || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return false;
    i += more + 1;
  }
  return true;
}

}  // namespace fnn
