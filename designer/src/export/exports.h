// SPDX-License-Identifier: GPL-3.0-or-later
// Exports of a design for other programs. docs/reference/exports.md lists them, and how each was checked.
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

/// topology.conf of Slurm's tree plugin. The plugin rejects nodes on several switches, so a flat neighborhood network
/// is one switch with all nodes.
std::string slurm_of(const Design& design);

/// A SimGrid platform. Every NIC is two links, one shared by its outgoing flows and one by its incoming flows. Every
/// pair of hosts has its own route. `basic` routing has a host per node, with the routes of the routes document of
/// `seed`. `advanced` routing has a host per NIC, `node-nic`, because SimGrid supports one route per pair of hosts.
std::string simgrid_of(const Design& design, bool advanced, std::uint64_t seed);

}  // namespace fnn
