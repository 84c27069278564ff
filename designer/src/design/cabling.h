// SPDX-License-Identifier: GPL-3.0-or-later
// Cabling: a wiring with its remaining symmetries resolved into a tidy, concrete assignment.
//
// To the search, NICs of one medium and kind in one node are interchangeable, and so are nodes of one kind and
// switches of one kind. A design must name them. A fresh design takes a canonical form that does not depend on the
// path of the search. A redesign takes the names that keep the most cables in place.
//
// Nodes of one kind are not interchangeable when one of them is named: in a pattern, in a matrix of pairs, or by a
// pinned cable, which also distinguishes its switch.
#pragma once

#include <compare>
#include <tuple>
#include <vector>

#include "design/wiring.h"

namespace fnn {

struct Spec;

/// A link of some node: the switch, the media and kind of the NIC, and the speed of the port (port_limits.h).
struct Link {
  int device;
  int media;
  int kind = 0;
  int port_mbps = 0;
  auto operator<=>(const Link&) const = default;
};
/// Per node, its links in the order of the switches.
using Links = std::vector<std::vector<Link>>;

struct Cable {
  int nic;  ///< index within the node, from 0
  int device;
  int port_mbps = 0;  ///< of the port, where the switch has ports of this medium with several speeds; else 0 or unknown
  /// A cable that goes to another port of the same switch has not moved.
  bool operator==(const Cable& other) const { return nic == other.nic && device == other.device; }
  auto operator<=>(const Cable& other) const { return std::tie(nic, device) <=> std::tie(other.nic, other.device); }
};
/// Per node, its cables in the order of the NICs.
using Cabling = std::vector<std::vector<Cable>>;

/// The fate of the cables of an earlier design whose NIC and switch still exist.
struct Moves {
  int kept;
  int moved;
  int at_least;  ///< proved lower bound on the moves of any design
};

Links links_of(const Wiring& wiring);

/// Gives the switch sets to the nodes of a kind in ascending order, and names the switches of a kind by first
/// appearance; repeats until nothing changes. Pinned cables stay.
Links tidied(Links links, const Spec& spec);

/// Permutes nodes of a kind and switches of a kind for many links in common with the `old` cabling: assignment problems
/// for switches and for nodes alternate until neither adds a link (a local optimum). Pinned cables stay.
Links matched(Links links, const Cabling& old, const Spec& spec);

/// Chooses NICs: a link of the old cabling keeps its NIC, the others take the free NICs of their media in order,
/// preferably of their own kind. `old` may be empty; it includes pinned cables (pins.h).
Cabling cabled(const Links& links, const Cabling& old, const Limits& limits);

/// The number of cables of a cabling.
int count_cables(const Cabling& cabling);

/// The number of cables that are in both.
int count_kept(const Cabling& now, const Cabling& old);

}  // namespace fnn
