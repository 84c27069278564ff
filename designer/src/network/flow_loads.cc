// SPDX-License-Identifier: GPL-3.0-or-later
#include "network/flow_loads.h"

#include <algorithm>

#include "evaluate/route_loads.h"

namespace fnn {

using std::size_t;

FlowLoads::FlowLoads(const RoutedNetwork& routed, int unit_mbps)
    : routed_(routed), edges_(routed.network.edges().size()) {
  for (const Network::Edge& edge : routed.network.edges()) head_.push_back(static_cast<std::uint16_t>(edge.head));
  for (size_t copy = 0; copy < routed.network.copies; ++copy) {
    for (const Network::Edge& edge : routed.network.edges()) {
      speed_.push_back(static_cast<double>(edge.mbps) / unit_mbps);
    }
  }
  load_.assign(speed_.size(), 0);
}

void FlowLoads::trace(size_t flow, size_t layer, size_t copy, Flow ends) {
  const std::uint16_t* const next = routed_.layers[layer].tables.to(ends.to);
  const size_t begin = steps_.size();
  for (std::uint32_t vertex = ends.from; vertex != ends.to;) {
    const std::uint16_t edge = next[vertex];
    if (edge == ForwardingTables::kNone) {
      steps_.resize(begin);
      break;
    }
    steps_.push_back(static_cast<std::uint32_t>(copy * edges_ + edge));
    vertex = head_[edge];
  }
  routes_.push_back({flow, steps_.size()});
}

void FlowLoads::trace_basic(const Level& level, const std::vector<std::uint16_t>& map) {
  const size_t copies = routed_.network.copies;
  for (size_t flow = 0; flow < level.size(); ++flow) {
    const Flow ends{map[level[flow].from], map[level[flow].to]};
    size_t open = 0;
    for (size_t layer = 0; layer < routed_.layers.size(); ++layer) {
      open += routed_.is_open(layer, ends.from, ends.to) ? 1 : 0;
    }
    size_t pick = (size_t{ends.from} + ends.to) % (open * copies);
    const size_t copy = pick % copies;
    pick /= copies;
    for (size_t layer = 0; layer < routed_.layers.size(); ++layer) {
      if (routed_.is_open(layer, ends.from, ends.to) && pick-- == 0) trace(flow, layer, copy, ends);
    }
  }
}

/// Traces one copy only, as all copies carry the same loads.
void FlowLoads::trace_advanced(const Level& level, const std::vector<std::uint16_t>& map) {
  for (size_t flow = 0; flow < level.size(); ++flow) {
    const Flow ends{map[level[flow].from], map[level[flow].to]};
    for (size_t layer = 0; layer < routed_.layers.size(); ++layer) {
      if (routed_.is_open(layer, ends.from, ends.to)) trace(flow, layer, 0, ends);
    }
  }
}

void FlowLoads::compute_rates(size_t routing, double times) {
  for (const std::uint32_t edge : steps_) ++load_[edge];
  size_t step = 0;
  for (const Route& route : routes_) {
    if (step == route.end) continue;
    double rate = std::numeric_limits<double>::infinity();
    for (; step < route.end; ++step) rate = std::min(rate, speed_[steps_[step]] / load_[steps_[step]]);
    rates_[route.flow][routing] += times * rate;
  }
  for (const std::uint32_t edge : steps_) load_[edge] = 0;
  steps_.clear();
  routes_.clear();
}

const std::vector<RoutingRates>& FlowLoads::rates(const Level& level, const std::vector<std::uint16_t>& map) {
  rates_.assign(level.size(), {});
  trace_basic(level, map);
  compute_rates(kBasic, 1);
  if (has_single_path()) {
    for (RoutingRates& rate : rates_) rate[kAdvanced] = rate[kBasic];
    return rates_;
  }
  trace_advanced(level, map);
  compute_rates(kAdvanced, static_cast<double>(routed_.network.copies));
  return rates_;
}

}  // namespace fnn
