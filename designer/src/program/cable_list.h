// SPDX-License-Identifier: GPL-3.0-or-later
// The cables of a design as CSV, a line each: node,nic,switch. A NIC without a line is not plugged in. For wirings
// from outside the designer: the cables as plugged, or as they will be in the middle of a rewiring.
#pragma once

#include <string>

#include "base/json_text.h"
#include "design/cabling.h"

namespace fnn {

/// `name` stands for the file in messages. Throws BadInput with every line that is wrong.
Cabling parse_cable_list(const std::string& text, const std::string& name, const Spec& spec);

/// The cables of a design document, in its order.
std::string cable_list_of(const Json& document);

}  // namespace fnn
