// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace fnn {

/// The known word that was probably meant: at most a third of its letters inserted, deleted, replaced or swapped
/// with their neighbor (optimal string alignment distance). The first of several; none if all differ more.
std::optional<std::string> nearest_word(const std::string& word, const std::vector<std::string>& known);

}  // namespace fnn
