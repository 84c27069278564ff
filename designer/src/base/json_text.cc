// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/json_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <optional>
#include <set>
#include <vector>

#include "base/json_syntax.h"
#include "base/problem.h"
#include "base/reading.h"

namespace fnn {
namespace {

constexpr double kLargestExact = 9007199254740992.0;  // 2^53

void write_string(std::string& out, const std::string& text) {
  static constexpr std::string_view kHex = "0123456789abcdef";
  out += '"';
  for (const char c : text) {
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      case '\b': out += "\\b"; break;
      case '\f': out += "\\f"; break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          out += "\\u00";
          out += kHex[static_cast<unsigned char>(c) >> 4U];
          out += kHex[static_cast<unsigned char>(c) & 15U];
        } else {
          out += c;
        }
    }
  }
  out += '"';
}

/// Python's repr of a float: the shortest digits that read back the same, with an exponent only
/// when the decimal point would be more than 16 places right or 4 places left of the first digit.
void write_float(std::string& out, double value) {
  std::array<char, 64> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific);
  const std::string_view text(buffer.data(), static_cast<std::size_t>(end.ptr - buffer.data()));
  const std::size_t e = text.find('e');
  const int exponent = std::stoi(std::string(text.substr(e + 1)));
  if (exponent < -4 || exponent >= 16) {
    out += text;  // to_chars writes at least two digits of exponent, with its sign, as Python does
    return;
  }
  std::string digits;
  for (const char c : text.substr(0, e)) {
    if (c == '-') out += '-';
    else if (c != '.') digits += c;
  }
  if (exponent < 0) {
    out += "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
    return;
  }
  const auto point = static_cast<std::size_t>(exponent) + 1;
  if (digits.size() < point) digits.append(point - digits.size(), '0');
  out += digits.substr(0, point) + "." + (digits.size() > point ? digits.substr(point) : "0");
}

/// indent < 0 writes everything on one line.
void write(std::string& out, const Json& value, int indent) {
  const bool lines = indent >= 0;
  const int inner = lines ? indent + 2 : indent;
  const auto new_line = [&](int depth) {
    if (lines) out += '\n' + std::string(static_cast<std::size_t>(depth), ' ');
  };
  if (value.is_object() || value.is_array()) {
    const bool object = value.is_object();
    out += object ? '{' : '[';
    bool first = true;
    for (const auto& item : value.items()) {
      if (!first) out += ',';
      first = false;
      new_line(inner);
      if (object) {
        write_string(out, item.key());
        out += lines ? ": " : ":";
      }
      write(out, item.value(), inner);
    }
    if (!first) new_line(indent);
    out += object ? '}' : ']';
  } else if (value.is_string()) {
    write_string(out, value.get_ref<const std::string&>());
  } else if (value.is_number_float()) {
    write_float(out, value.get<double>());
  } else {
    out += value.dump();
  }
}

/// Finds the first duplicate key of an object; objects are checked in the order in which they end.
class DuplicateKeys {
 public:
  bool on_event(Json::parse_event_t event, const Json& parsed) {
    if (event == Json::parse_event_t::object_start) {
      open_.emplace_back();
    } else if (event == Json::parse_event_t::key) {
      auto& [keys, duplicate] = open_.back();
      const auto& key = parsed.get_ref<const std::string&>();
      if (!keys.insert(key).second && !duplicate) duplicate = key;
    } else if (event == Json::parse_event_t::object_end) {
      if (!found_) found_ = open_.back().duplicate;
      open_.pop_back();
    }
    return true;
  }

  [[nodiscard]] const std::optional<std::string>& found() const { return found_; }

 private:
  struct Object {
    std::set<std::string> keys;
    std::optional<std::string> duplicate;
  };
  std::vector<Object> open_;
  std::optional<std::string> found_;
};

}  // namespace

Json read_json(const std::string& path) { return parse_json(read_text(path), file_name(path)); }

Json parse_json(std::string_view text, const std::string& name) {
  if (!is_utf8(text)) throw BadInput({{name, "not UTF-8 text"}});
  if (const auto error = find_syntax_error(text)) {
    throw BadInput({{name, "not JSON, line " + std::to_string(error->line) + " column " +
                               std::to_string(error->column)}});
  }
  DuplicateKeys keys;
  Json value = Json::parse(
      text, [&](int, Json::parse_event_t event, const Json& parsed) { return keys.on_event(event, parsed); }, false);
  // Only a number beyond the range of a double passes the scanner and fails in the library.
  if (value.is_discarded()) throw BadInput({{name, "not JSON, a number is out of range"}});
  if (keys.found()) {
    std::string key;
    write_string(key, *keys.found());
    throw BadInput({{name, "the key " + key + " is given twice in one object"}});
  }
  return value;
}

std::string pretty(const Json& value) {
  std::string out;
  write(out, value, 0);
  return out + "\n";
}

std::string compact(const Json& value) {
  std::string out;
  write(out, value, -1);
  return out;
}

Json with_integers(const Json& value) {
  if (value.is_number_float()) {
    const double number = value.get<double>();
    const bool whole = std::abs(number) <= kLargestExact && std::trunc(number) == number;
    return whole ? Json(static_cast<std::int64_t>(number)) : value;
  }
  Json copy = value;
  if (value.is_structured()) {
    for (auto& item : copy) item = with_integers(item);
  }
  return copy;
}

std::string type_name(const Json& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return "an array";
  if (value.is_string()) return "a string";
  if (value.is_boolean()) return "a boolean";
  if (value.is_number_float()) return "a number";
  if (value.is_number()) return "an integer";
  return "null";
}

std::string shown(const Json& value) { return value.is_structured() ? type_name(value) : compact(value); }

std::string file_name(const std::string& path) { return std::filesystem::path(path).filename().string(); }

}  // namespace fnn
