// SPDX-License-Identifier: GPL-3.0-or-later
// The design of a topology that the spec determines: a tree, a ring, a star or a mesh.
//
// Its document has, besides the nodes and their links, the trunks of a tree and the segments. A *segment* is a set of
// NICs that reach each other without a router: the switches of a tree with all their nodes, one cable of a routed ring,
// star or mesh, or all cables of a ring whose nodes are bridges.
#pragma once

#include <cstdint>

#include "spec/spec.h"

namespace fnn {

/// The design document. Contains nothing that depends on time or machine: the same input gives the same bytes.
Json topology_design(const Spec& spec, std::int64_t seed);

}  // namespace fnn
