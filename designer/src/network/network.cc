// SPDX-License-Identifier: GPL-3.0-or-later
#include "network/network.h"

namespace fnn {

using std::size_t;

Network::Network(size_t nodes) : nodes_(nodes), kinds_(nodes, Kind::kNode), strides_(nodes, 1) {}

std::uint32_t Network::add_switch(long long inside_mbps, std::uint32_t stride) {
  kinds_.push_back(Kind::kSwitch);
  strides_.push_back(stride);
  inside_mbps_.push_back(inside_mbps);
  return static_cast<std::uint32_t>(kinds_.size() - 1);
}

void Network::add_cable(std::uint32_t a, std::uint32_t b, int mbps) { cables_.push_back({a, b, mbps}); }

void Network::add_edge(std::uint32_t tail, std::uint32_t head, long long mbps) {
  const auto edge = static_cast<std::uint32_t>(edges_.size());
  edges_.push_back({tail, head, mbps});
  out_[tail].push_back(edge);
  in_[head].push_back(edge);
}

void Network::finish() {
  std::vector<long long> link_mbps(kinds_.size(), 0);
  for (const Cable& cable : cables_) {
    link_mbps[cable.a] += cable.mbps;
    link_mbps[cable.b] += cable.mbps;
  }
  std::vector<std::uint32_t> exit(kinds_.size());
  const size_t plain = kinds_.size();
  for (std::uint32_t vertex = 0; vertex < plain; ++vertex) {
    exit[vertex] = vertex;
    if (is_node(vertex) || inside_mbps_[vertex - nodes_] >= link_mbps[vertex]) continue;
    exit[vertex] = static_cast<std::uint32_t>(kinds_.size());
    kinds_.push_back(Kind::kInside);
    strides_.push_back(strides_[vertex]);
  }
  out_.resize(kinds_.size());
  in_.resize(kinds_.size());
  for (const Cable& cable : cables_) {
    add_edge(exit[cable.a], cable.b, cable.mbps);
    add_edge(exit[cable.b], cable.a, cable.mbps);
  }
  for (std::uint32_t vertex = 0; vertex < plain; ++vertex) {
    if (exit[vertex] != vertex) add_edge(vertex, exit[vertex], inside_mbps_[vertex - nodes_]);
  }
}

bool Network::forwards(size_t vertex) const {
  if (!is_node(vertex)) return true;
  return nodes_forward && (endpoint_only.empty() || !endpoint_only[vertex]);
}

}  // namespace fnn
