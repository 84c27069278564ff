// SPDX-License-Identifier: GPL-3.0-or-later
// The text format of the earlier tools: a line per switch, `switch: node node ...`; # begins a comment.
#pragma once

#include <string>
#include <vector>

#include "base/json_text.h"
#include "design/cabling.h"

namespace fnn {

/// The content of a text: a spec with exactly the NICs and ports that are used, and the cables.
struct TextDesign {
  Json spec;
  Cabling cabling;
};

/// Nodes are in natural order of their names (n2 before n10), switches in the order of their lines.
/// A node's NICs go to its switches in order. `name` stands for the file in messages. Throws BadInput
/// with all problems.
TextDesign parse_text_design(const std::string& text, const std::string& name, const std::string& cluster);

/// The switches of a design document as text.
std::string text_of_design(const Json& document);

}  // namespace fnn
