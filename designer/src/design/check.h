// SPDX-License-Identifier: GPL-3.0-or-later
// Checking a design from its document alone.
//
// This is the judge, so it must not be related to the accused: nothing here uses the wiring, the
// evaluation, the objective or any other code of the search, nor of those who write designs. It reads
// names, asks the patterns in its own way (wanted_pairs.h), counts pairs in its own way (recount.h) and
// measures what the design states of its quality again (check_measures.h).
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "design/design_reading.h"

namespace fnn {

using NamePair = std::pair<std::string, std::string>;

/// Reads pairs of node names, one pair per line, separated by blanks or a comma; # begins a comment.
/// Throws BadInput.
std::vector<NamePair> read_pairs(const std::string& path, const Spec& spec);

/// Everything that is wrong with a design, in document order. `wanted` are the pairs that must share
/// a switch: all pairs when absent.
std::vector<Problem> check_design(const Design& design, const std::optional<std::vector<NamePair>>& wanted);

}  // namespace fnn
