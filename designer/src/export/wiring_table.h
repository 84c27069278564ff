// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "base/json_text.h"

namespace fnn {

/// Facts of wiring_facts() as text for people, at most 100 columns wide: a line with the counts; a line for each switch
/// with its load and its nodes; a table of all NICs for at most 24 nodes, or if there is no switch.
std::string wiring_table(const Json& facts);

}  // namespace fnn
