// SPDX-License-Identifier: GPL-3.0-or-later
// Plain specs: identical nodes and identical switches, from four numbers.
#pragma once

#include "base/json_text.h"

namespace fnn {

struct PlainNumbers {
  int nodes = 0;
  int nics = 0;
  int ports = 0;  ///< of each switch, for nodes
  int switches = 0;
};

/// A spec document with nodes n000, n001, ... and switches s00, s01, ...; with an uplink, each switch
/// has one port more for it.
Json plain_spec_document(const PlainNumbers& numbers, const std::string& cluster, bool uplink);

}  // namespace fnn
