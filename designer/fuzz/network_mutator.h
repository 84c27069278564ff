// SPDX-License-Identifier: GPL-3.0-or-later
// Structure-aware mutation of the output of diagnostics, for libFuzzer: lines and blocks of lines are moved, copied and
// removed; numbers, words and quoted names are exchanged with others of the text.
//
// Then the readers say what contradicts: for seven texts in eight, the lines that they reject are removed, and tables with
// a forwarding loop.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "base/random.h"

namespace fnn::fuzzing {

/// The topology and, behind a line "=", the forwarding tables of a network that differs in a few lines.
std::string mutate_network(std::string_view text, Random& random);

/// The two parts of such a text; without tables the second is empty.
std::pair<std::string, std::string> parts_of_network(const std::string& text);

}  // namespace fnn::fuzzing
