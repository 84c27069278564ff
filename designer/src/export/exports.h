// SPDX-License-Identifier: GPL-3.0-or-later
// A design as other programs read it. docs/reference/exports.md says which, and how each was checked.
#pragma once

#include <cstdint>
#include <string>

#include "design/design_reading.h"

namespace fnn {

/// GraphML: an undirected multigraph with the kind of each vertex, and NIC, port, color and speed of each cable.
std::string graphml_of(const Design& design);

/// DOT in the form that Cumulus PTM reads: "node":"interface" -- "switch":"port".
std::string dot_of(const Design& design);

/// Cables as NetBox imports them: CSV, one line per cable.
std::string netbox_of(const Design& design);

/// topology.conf of Slurm's tree plugin. For it a flat neighborhood network is one switch with all nodes: it has no word for
/// nodes on several, and refuses them.
std::string slurm_of(const Design& design);

/// A SimGrid platform: every NIC is a link shared by what it sends and another by what it receives, every pair of hosts
/// has its own route. With `basic` routing a host per node, with the routes of the routes document of `seed`. With
/// `advanced` a host per NIC, `node-nic`, because SimGrid knows one route per pair of hosts.
std::string simgrid_of(const Design& design, bool advanced, std::uint64_t seed);

}  // namespace fnn
