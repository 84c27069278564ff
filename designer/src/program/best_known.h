// SPDX-License-Identifier: GPL-3.0-or-later
// The fewest switches known from long searches, where no algebraic construction has as few.
#pragma once

#include <optional>

namespace fnn {

/// For `nodes` nodes with `nics` NICs on switches of `ports` ports; nothing where the table has no entry that implies
/// a design.
std::optional<int> fewest_known_switches(int nodes, int nics, int ports);

}  // namespace fnn
