// SPDX-License-Identifier: GPL-3.0-or-later
// Cabling: a wiring with its last freedoms settled, so that a person finds it tidy.
//
// To the search, NICs of one media and kind in one node are alike, nodes of one kind are alike, and so are
// switches of one kind. A design must name them. A fresh design is brought into a form that does not
// depend on the path of the search; a redesign takes the names that leave most cables in place.
//
// Nodes of one kind are not alike when somebody is named: in a pattern, in a matrix of pairs, or by a
// pinned cable, which also tells its switch apart.
#pragma once

#include <compare>
#include <vector>

#include "design/wiring.h"

namespace fnn {

struct Spec;

/// A link of some node: the switch, and the media and kind of the NIC (port_limits.h).
struct Link {
  int device;
  int media;
  int kind = 0;
  auto operator<=>(const Link&) const = default;
};
/// Per node, its links in the order of the switches.
using Links = std::vector<std::vector<Link>>;

struct Cable {
  int nic;  ///< of the node, from 0
  int device;
  auto operator<=>(const Cable&) const = default;
};
/// Per node, its cables in the order of the NICs.
using Cabling = std::vector<std::vector<Cable>>;

/// What became of the cables of an earlier design whose NIC and switch are still there.
struct Moves {
  int kept;
  int moved;
  int at_least;  ///< proved: no design moves fewer
};

Links links_of(const Wiring& wiring);

/// Gives the switch sets to the nodes of a kind in rising order, and to the switches of a kind
/// their names by first appearance; again until nothing changes. Leaves pinned cables alone.
Links tidied(Links links, const Spec& spec);

/// Trades places among nodes of a kind and among switches of a kind so that as many links as
/// possible are those of the `old` cabling. Leaves pinned cables alone.
Links matched(Links links, const Cabling& old, const Spec& spec);

/// Chooses NICs: a link of the old cabling keeps its NIC, the others take the free NICs of their media
/// in order, of their own kind if there are any. `old` may be empty; pinned cables belong to it (pins.h).
Cabling cabled(const Links& links, const Cabling& old, const Limits& limits);

/// Cables of a cabling.
int count_cables(const Cabling& cabling);

/// Cables that are in both.
int count_kept(const Cabling& now, const Cabling& old);

}  // namespace fnn
