// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/csv.h"

#include <algorithm>
#include <sstream>

namespace fnn {
namespace {

using std::size_t;

std::string trimmed(const std::string& text) {
  const char* const blanks = " \t\r";
  const size_t first = text.find_first_not_of(blanks);
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> fields;
  for (size_t start = 0; start <= line.size();) {
    const size_t comma = std::min(line.find(',', start), line.size());
    fields.push_back(trimmed(line.substr(start, comma - start)));
    start = comma + 1;
  }
  return fields;
}

}  // namespace

std::vector<CsvLine> csv_lines(const std::string& text) {
  std::vector<CsvLine> lines;
  std::istringstream stream(text);
  std::string line;
  for (size_t number = 1; std::getline(stream, line); ++number) {
    const std::string content = trimmed(line);
    if (!content.empty() && content[0] != '#') lines.push_back({number, split(content)});
  }
  return lines;
}

}  // namespace fnn
