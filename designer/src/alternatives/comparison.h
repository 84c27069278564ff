// SPDX-License-Identifier: GPL-3.0-or-later
// Where a design wins and loses, measure by measure, against the available alternatives.
#pragma once

#include "base/json_text.h"

namespace fnn {

/// Per measure {"measure", "better", "design", "best", "wins_over", "even_with", "loses_to"} over the rows of
/// `alternatives`, of which the first is the design. Rows are named "name/routing", or "name" where there is no
/// choice.
Json comparison(const Json& alternatives);

/// The name of a row in `comparison`.
std::string row_name(const Json& row);

}  // namespace fnn
