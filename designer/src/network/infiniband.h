// SPDX-License-Identifier: GPL-3.0-or-later
// Networks as the InfiniBand diagnostics tell of them: ibnetdiscover for the cables, dump_fts (or dump_lfts.sh) for the
// forwarding tables that a subnet manager has made.
//
// Every port of a host adapter that has a cable to a switch is a node by itself, as it has an address (lid) of its own;
// nodes are in the order of these. Links between hosts are left out, and so are those between adapters of switches.
#pragma once

#include <string>
#include <vector>

#include "network/forwarding_tables.h"

namespace fnn {

struct InfinibandNetwork {
  RoutedNetwork routed;  ///< without ways where no tables were given
  int slowest_mbps = 0;  ///< of all links
  std::vector<std::string> nodes;
  std::vector<std::string> switches;
};

/// A text with the name of its file, for messages.
struct NamedText {
  std::string text;
  std::string name;
};

/// Throws BadInput with everything that is wrong.
InfinibandNetwork read_infiniband(const NamedText& topology);

/// Adds the ways of the tables. Throws BadInput for tables of switches, and over ports, that the network does not have.
void read_tables(const NamedText& tables, const NamedText& topology, InfinibandNetwork& network);

}  // namespace fnn
