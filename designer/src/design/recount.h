// SPDX-License-Identifier: GPL-3.0-or-later
// Counting pairs for the check, switch by switch (the design counts node by node). A pair shares as many switches as
// there are switches with both nodes among their members.
#pragma once

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "base/json_text.h"

namespace fnn {

/// A link from the document: the rank of its switch, and its maximum speed (0: impossible).
struct ReadLink {
  std::size_t device;
  long long mbps;
};

/// Per node in rank order, its links, at most one per switch.
using ReadLinks = std::vector<std::vector<ReadLink>>;

struct Recount {
  std::map<long, long> pairs_sharing;  ///< by the number of shared switches, from 1
  std::vector<std::pair<std::size_t, std::size_t>> too_few;  ///< wanted pairs that share too few switches, in order
  long wanted = 0;
  long wanted_shared = 0;  ///< sum of shared switches over all wanted pairs
  long fewest = -1;        ///< minimum of shared switches over wanted pairs
  long exposed = 0;        ///< wanted pairs with exactly the required number of switches

  bool named = false;        ///< whether the spec names communicating pairs
  double communicating = 0;  ///< number of communicating pairs
  double traffic = 0;        ///< sum of their weights
  double shared = 0;         ///< sum of weight times shared switches
  double mbps = 0;           ///< sum of weight times bandwidth
  long long worst_mbps = -1;  ///< minimum of the bandwidth over wanted pairs
  double worth = 0;          ///< sum of weight times (bandwidth in units of the slowest link)^(7/8)
  std::vector<double> loads;  ///< per link, over all nodes
};

/// `slowest` is the unit of bandwidth in Mb/s.
Recount recount(const Json& spec, const ReadLinks& links, long long slowest);

}  // namespace fnn
