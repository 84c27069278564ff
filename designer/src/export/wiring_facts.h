// SPDX-License-Identifier: GPL-3.0-or-later
// The wiring of a design as facts for people: the load of each switch, and where each NIC goes.
//
//   {"cluster", "topology", "mode", "nodes", "nics": [distinct counts], "cables": between nodes, or to nodes, "redundancy",
//    "switches": [{"name", "color", "ports", "used", "uplink", "trunks", "reserved", "nodes": [names]}],
//    "uplink": {"name", "ports", "used", "joined": [names]} or null, "trunks": [{"a", "b", "count"}],
//    "uncovered": [[name, name]], "wiring": [{"node", "nics": [{"name", "to", "port_mbps", "peer_nic"}]}], "speeds"}
//
// `speeds` is there where links differ in speed (speed_facts.h), `port_mbps` where the switch has ports of several speeds.
// Of the ports of a switch, `used` go to nodes, `uplink` (0 or 1) to the uplink switch and `trunks` to other switches;
// `reserved` are kept free. `to` is a switch, a node or null; `peer_nic` is the name or index of the NIC of that node.
#pragma once

#include "spec/spec.h"

namespace fnn {

/// design: a design document for `spec`, without violations other than uncovered pairs.
Json wiring_facts(const Json& design, const Spec& spec);

}  // namespace fnn
