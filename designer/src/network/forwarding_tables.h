// SPDX-License-Identifier: GPL-3.0-or-later
// Forwarding tables: over which edge each vertex sends on what is for a node, and how they are chosen.
//
// All choices but explicit tables are among shortest ways. An example with two: leaf L has spines S and T to send over to
// whoever is on another leaf.
//
//   d-mod-k   by the number of the destination: even ones over S, odd ones over T. Nodes 0, 2 and 4 that all are sent to
//             at once share S, though T is idle.
//   min-hop   each switch deals out destinations one after the other to the way that has fewest so far (OpenSM's).
//   balanced  as one that sees all routes there are so far: the way whose edges carry fewest of them in all (after
//             Hoefler's single-source shortest paths, but never longer than needed).
//   random    each switch by lot for each destination.
#pragma once

#include <array>
#include <limits>
#include <vector>

#include "base/random.h"
#include "network/network.h"

namespace fnn {

enum class RoutingChoice { kOnly, kDModK, kMinHop, kBalanced, kRandom };

/// "only" where there is no choice, then the names above.
const char* name_of(RoutingChoice choice);

/// next(v, d): the edge by which vertex v sends on what is for node d.
class ForwardingTables {
 public:
  static constexpr std::uint16_t kNone = std::numeric_limits<std::uint16_t>::max();  ///< no way, or at the end of it

  /// Of a network with less than 65535 edges.
  explicit ForwardingTables(const Network& network)
      : vertices_(network.vertices()), next_(network.nodes() * network.vertices(), kNone) {}

  std::uint16_t next(std::size_t vertex, std::size_t destination) const { return next_[destination * vertices_ + vertex]; }
  /// To one destination, from every vertex; together, so that whoever follows a route reads few lines of memory.
  const std::uint16_t* to(std::size_t destination) const { return next_.data() + destination * vertices_; }
  void set(std::size_t vertex, std::size_t destination, std::uint32_t edge) {
    next_[destination * vertices_ + vertex] = static_cast<std::uint16_t>(edge);
  }

 private:
  std::size_t vertices_;
  std::vector<std::uint16_t> next_;
};

/// Tables that lead every vertex to every node that it can reach, over edges that are not `closed` (empty: none is).
ForwardingTables choose_routes(const Network& network, RoutingChoice choice, std::uint64_t seed,
                               const std::vector<bool>& closed = {});

/// A network with its routes. A pair has one way per copy and entry of `ways` that is open to it, all used together by
/// advanced routing, one by basic routing.
struct RoutedNetwork {
  static constexpr std::size_t kEveryone = std::numeric_limits<std::size_t>::max();

  struct Way {
    ForwardingTables tables;
    /// Only for flows from and to this node; those that have no second NIC to send by have one way.
    std::size_t node = kEveryone;
  };

  Network network;
  std::vector<Way> ways;

  bool is_open(std::size_t way, std::size_t from, std::size_t to) const {
    const std::size_t node = ways[way].node;
    return node == kEveryone || node == from || node == to;
  }
};

}  // namespace fnn
