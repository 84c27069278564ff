// SPDX-License-Identifier: GPL-3.0-or-later
// Forwarding tables: the outgoing edge of each vertex per destination node, and the algorithms that choose it.
//
// All algorithms except explicit tables choose among shortest paths. An example with two: leaf L reaches the other
// leaves over spines S and T.
//
//   d-mod-k   by the number of the destination: even ones over S, odd ones over T. Simultaneous flows to nodes 0, 2
//             and 4 share S, while T is idle.
//   min-hop   each switch assigns destinations in turn to the edge that has the fewest so far (OpenSM).
//   balanced  by the routes so far in the whole network: the path whose edges carry the fewest (after Hoefler's
//             single-source shortest paths, but restricted to paths of minimal length).
//   random    each switch chooses at random for each destination.
#pragma once

#include <array>
#include <limits>
#include <vector>

#include "base/random.h"
#include "network/network.h"

namespace fnn {

enum class RoutingChoice { kOnly, kDModK, kMinHop, kBalanced, kRandom };

/// "only" where there is no choice, otherwise a name from the list above.
const char* name_of(RoutingChoice choice);

/// next(v, d): the edge over which vertex v forwards traffic for node d.
class ForwardingTables {
 public:
  static constexpr std::uint16_t kNone = std::numeric_limits<std::uint16_t>::max();  ///< no path, or arrived

  /// The network must have less than 65535 edges.
  explicit ForwardingTables(const Network& network)
      : vertices_(network.vertices()), next_(network.nodes() * network.vertices(), kNone) {}

  std::uint16_t next(std::size_t vertex, std::size_t destination) const { return next_[destination * vertices_ + vertex]; }
  /// The next hops of all vertices to one destination, contiguous, so that following a route touches few cache lines.
  const std::uint16_t* to(std::size_t destination) const { return next_.data() + destination * vertices_; }
  void set(std::size_t vertex, std::size_t destination, std::uint32_t edge) {
    next_[destination * vertices_ + vertex] = static_cast<std::uint16_t>(edge);
  }

 private:
  std::size_t vertices_;
  std::vector<std::uint16_t> next_;
};

/// Computes tables from every vertex to every node that it can reach, over edges that are not `closed` (empty: none
/// is).
ForwardingTables choose_routes(const Network& network, RoutingChoice choice, std::uint64_t seed,
                               const std::vector<bool>& closed = {});

/// A network with its routes. A pair has one path per copy and entry of `layers` that is open to it. Advanced routing
/// uses all of them together, basic routing uses one.
struct RoutedNetwork {
  static constexpr std::size_t kAllNodes = std::numeric_limits<std::size_t>::max();

  struct Layer {
    ForwardingTables tables;
    /// Only for flows from and to this node; flows between nodes without a second NIC to send over have one path.
    std::size_t node = kAllNodes;
  };

  Network network;
  std::vector<Layer> layers;

  bool is_open(std::size_t layer, std::size_t from, std::size_t to) const {
    const std::size_t node = layers[layer].node;
    return node == kAllNodes || node == from || node == to;
  }
};

}  // namespace fnn
