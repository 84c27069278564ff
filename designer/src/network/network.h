// SPDX-License-Identifier: GPL-3.0-or-later
// A general network of nodes, switches and cables between any of them. In a flat neighborhood network, in contrast,
// cables connect nodes to switches only.
//
// Vertices are the nodes in rank order, then the switches. Each cable is two directed edges, each with the full
// speed. An oversubscribed switch becomes two vertices with one more edge between them, its inside, which carries all
// traffic through the switch.
//
//   node 0 ---\            /--- node 2          node 0 ---> in ===inside===> out ---> node 2
//              switch                     is
//   node 1 ---/            \--- node 3          node 1 --->                      ---> node 3
//
// `copies` parallel networks (multi-rail) exist when every node has that many times the NICs: rails are copies of one
// switch.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace fnn {

class Network {
 public:
  static constexpr long long kUnlimited = std::numeric_limits<long long>::max();

  enum class Kind : std::uint8_t {
    kNode,
    kSwitch,
    kInside,  ///< the output side of an oversubscribed switch
  };

  struct Cable {
    std::uint32_t a;
    std::uint32_t b;
    int mbps;
  };

  struct Edge {
    std::uint32_t tail;
    std::uint32_t head;
    long long mbps;
  };

  explicit Network(std::size_t nodes);

  /// `stride` is for d-mod-k routing: the number of consecutive destinations that use the same outgoing edge.
  std::uint32_t add_switch(long long inside_mbps = kUnlimited, std::uint32_t stride = 1);
  void add_cable(std::uint32_t a, std::uint32_t b, int mbps);
  /// Builds the edges; nothing can be added afterwards.
  void finish();

  /// Reorders the edges that leave a vertex; routing choices follow this order.
  void reorder_out(std::size_t vertex, std::vector<std::uint32_t> edges) { out_[vertex] = std::move(edges); }

  std::size_t nodes() const { return nodes_; }
  std::size_t switches() const { return inside_mbps_.size(); }
  std::size_t vertices() const { return kinds_.size(); }
  Kind kind(std::size_t vertex) const { return kinds_[vertex]; }
  std::uint32_t stride(std::size_t vertex) const { return strides_[vertex]; }
  const std::vector<Cable>& cables() const { return cables_; }
  const std::vector<Edge>& edges() const { return edges_; }
  /// Edges that leave a vertex, in the order of their cables.
  const std::vector<std::uint32_t>& out(std::size_t vertex) const { return out_[vertex]; }
  const std::vector<std::uint32_t>& in(std::size_t vertex) const { return in_[vertex]; }
  bool is_node(std::size_t vertex) const { return vertex < nodes_; }
  /// The total internal capacity of a switch.
  long long inside_mbps(std::size_t vertex) const { return inside_mbps_[vertex - nodes_]; }
  /// Whether an edge begins or ends at a node.
  bool at_node(const Edge& edge) const { return is_node(edge.tail) || is_node(edge.head); }

  std::size_t copies = 1;
  bool nodes_forward = false;          ///< nodes forward traffic for others, as in switchless networks
  std::vector<bool> endpoint_only;     ///< per node, whether it does not forward even then; empty: none
  bool forwards(std::size_t vertex) const;

 private:
  void add_edge(std::uint32_t tail, std::uint32_t head, long long mbps);

  std::size_t nodes_;
  std::vector<Kind> kinds_;
  std::vector<std::uint32_t> strides_;
  std::vector<long long> inside_mbps_;  ///< per switch
  std::vector<Cable> cables_;
  std::vector<Edge> edges_;
  std::vector<std::vector<std::uint32_t>> out_;
  std::vector<std::vector<std::uint32_t>> in_;
};

}  // namespace fnn
