// SPDX-License-Identifier: GPL-3.0-or-later
// The text format of the earlier tools: a line per switch, `switch: node node ...`; # begins a comment.
#pragma once

#include <string>
#include <vector>

#include "base/json_text.h"
#include "design/cabling.h"

namespace fnn {

/// What a text says, as a spec with just the NICs and ports that are used, and the cables.
struct TextDesign {
  Json spec;
  Cabling cabling;
};

/// Nodes come in the order of their names, numbers in them by value; switches in that of their lines.
/// A node's NICs go to its switches in order. `name` stands for the file in messages. Throws BadInput
/// with everything that is wrong.
TextDesign parse_text_design(const std::string& text, const std::string& name, const std::string& cluster);

/// The switches of a design document as text.
std::string text_of_design(const Json& document);

}  // namespace fnn
