// SPDX-License-Identifier: GPL-3.0-or-later
// Checking a design from its document alone.
//
// The check is independent of the search: it uses neither wiring, evaluation, objective nor any other code of the
// search or of the writers of designs. It reads names and has its own implementation of patterns (wanted_pairs.h), of
// counting pairs (recount.h) and of the stated quality measures (check_measures.h).
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

/// All problems of a design, in document order. `wanted` are the pairs that must share a switch: all pairs when
/// absent.
std::vector<Problem> check_design(const Design& design, const std::optional<std::vector<NamePair>>& wanted);

}  // namespace fnn
