// SPDX-License-Identifier: GPL-3.0-or-later
// Counting pairs for the check: from the neighborhoods, where the design counts from the nodes. Every
// switch tells each of its nodes whom it meets there; what a pair shares is how often that was told.
#pragma once

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "base/json_text.h"

namespace fnn {

/// A link as the document has it: the rank of its switch, and how fast it can be (0: not at all).
struct ReadLink {
  std::size_t device;
  long long mbps;
};

/// Per node in rank order, its links, no two to one switch.
using ReadLinks = std::vector<std::vector<ReadLink>>;

struct Recount {
  std::map<long, long> pairs_sharing;  ///< how many pairs share so many switches, from 1
  std::vector<std::pair<std::size_t, std::size_t>> too_few;  ///< wanted pairs short of switches, in order
  long wanted = 0;
  long wanted_shared = 0;  ///< switches, over all wanted pairs
  long fewest = -1;        ///< switches that any wanted pair shares
  long exposed = 0;        ///< wanted pairs with just as many switches as they must share

  bool named = false;     ///< whether the spec says who talks
  double talking = 0;     ///< pairs
  double traffic = 0;     ///< their weights together
  double shared = 0;      ///< switches, each pair times its weight
  double mbps = 0;        ///< bandwidth, likewise
  double worth = 0;       ///< bandwidth in units of the slowest link, to the power of 7/8, likewise
  std::vector<double> loads;  ///< of all links
};

/// `slowest` is the unit of bandwidth in Mb/s.
Recount recount(const Json& spec, const ReadLinks& links, long long slowest);

}  // namespace fnn
