// SPDX-License-Identifier: GPL-3.0-or-later
// Cabling: a wiring with its last freedoms settled, so that a person finds it tidy.
//
// To the search, NICs of one media in one node are alike, nodes of one kind are alike, and so are
// switches of one kind. A design must name them. A fresh design is brought into a form that does not
// depend on the path of the search; a redesign takes the names that leave most cables in place.
#pragma once

#include <compare>
#include <vector>

#include "design/wiring.h"

namespace fnn {

struct Spec;

/// A link of some node: the switch, and the media it runs over.
struct Link {
  int device;
  int media;
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

Links links_of(const Wiring& wiring);

/// Gives the switch sets to the nodes of a kind in rising order, and to the switches of a kind
/// their names by first appearance; again until nothing changes.
Links tidied(Links links, const Spec& spec);

/// Trades places among nodes of a kind and among switches of a kind so that as many links as
/// possible are those of the `old` cabling.
Links matched(Links links, const Cabling& old, const Spec& spec);

/// Chooses NICs: a link of the old cabling keeps its NIC, the others take the free NICs of their
/// media, both in order. `old` may be empty.
Cabling cabled(const Links& links, const Cabling& old, const Limits& limits);

/// Cables that are in both.
int count_kept(const Cabling& now, const Cabling& old);

}  // namespace fnn
