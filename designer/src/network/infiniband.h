// SPDX-License-Identifier: GPL-3.0-or-later
// Networks from the output of InfiniBand diagnostics: ibnetdiscover for the cables, dump_fts (or dump_lfts.sh) for
// the forwarding tables of the subnet manager.
//
// Every port of a host adapter with a cable to a switch is a node of its own, as it has its own address (lid); nodes
// are in lid order. Links between hosts are ignored, and so are links between adapters of switches.
#pragma once

#include <string>
#include <vector>

#include "network/forwarding_tables.h"

namespace fnn {

struct InfinibandNetwork {
  RoutedNetwork routed;  ///< without paths where no tables were given
  int slowest_mbps = 0;  ///< the slowest link speed
  std::vector<std::string> nodes;
  std::vector<std::string> switches;
};

/// A text with its file name, for messages.
struct NamedText {
  std::string text;
  std::string name;
};

/// Throws BadInput with all problems.
InfinibandNetwork read_infiniband(const NamedText& topology);

/// Adds the paths of the tables. Throws BadInput for tables of switches, or ports, that the network does not have.
void read_tables(const NamedText& tables, const NamedText& topology, InfinibandNetwork& network);

}  // namespace fnn
