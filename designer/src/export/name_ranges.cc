// SPDX-License-Identifier: GPL-3.0-or-later
#include "export/name_ranges.h"

namespace fnn {
namespace {

/// The name with the next number, of as many digits if the number has leading zeros; empty for a name without number.
std::string next_name(const std::string& name) {
  std::string next = name;
  std::size_t digit = next.size();
  while (digit > 0 && next[digit - 1] == '9') next[--digit] = '0';
  const bool has_digit = digit > 0 && next[digit - 1] >= '0' && next[digit - 1] < '9';
  if (has_digit) {
    ++next[digit - 1];
  } else if (digit < next.size()) {
    next.insert(digit, 1, '1');
  } else {
    return "";
  }
  return next;
}

}  // namespace

std::vector<std::string> name_ranges(const std::vector<std::string>& names) {
  std::vector<std::string> ranges;
  for (std::size_t first = 0; first < names.size();) {
    std::size_t last = first;
    while (last + 1 < names.size() && names[last + 1] == next_name(names[last])) ++last;
    const char* dash = names[first].find('-') == std::string::npos ? "-" : "…";
    ranges.push_back(first == last ? names[first] : names[first] + dash + names[last]);
    first = last + 1;
  }
  return ranges;
}

}  // namespace fnn
