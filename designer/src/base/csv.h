// SPDX-License-Identifier: GPL-3.0-or-later
// Lines of comma-separated fields. No field of ours needs quotes: names have neither commas nor blanks.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace fnn {

struct CsvLine {
  std::size_t number;  ///< in the text, from 1
  std::vector<std::string> fields;
};

/// The lines of a text without blanks around fields. Lines that are empty or begin with # are left out.
std::vector<CsvLine> csv_lines(const std::string& text);

}  // namespace fnn
