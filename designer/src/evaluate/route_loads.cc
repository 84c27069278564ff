// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/route_loads.h"

#include <algorithm>
#include <limits>

#include "design/shared_switches.h"

namespace fnn {

using std::size_t;

void FlowRates::add(const FlowRates& other) {
  if (other.flows == 0) return;
  for (size_t routing = 0; routing < kRoutings.size(); ++routing) {
    sum[routing] += other.sum[routing];
    least[routing] = flows == 0 ? other.least[routing] : std::min(least[routing], other.least[routing]);
  }
  flows += other.flows;
}

RouteLoads::RouteLoads(const Fabric& fabric, const Choice& choice)
    : fabric_(fabric), oversubscribed_(fabric.has_oversubscribed_switches()) {
  const auto units = [&](long long mbps) {
    if (mbps == Fabric::kUnlimited) return std::numeric_limits<double>::infinity();
    return static_cast<double>(mbps) / fabric.unit_mbps;
  };
  for (const auto& of_node : fabric.legs) {
    first_edge_.push_back(static_cast<std::uint32_t>(speed_.size()));
    for (const Leg& leg : of_node) speed_.push_back(units(leg.mbps));
  }
  links_ = static_cast<std::uint32_t>(speed_.size());
  speed_.resize(2 * speed_.size());
  std::copy_n(speed_.begin(), links_, speed_.begin() + links_);
  for (const long long mbps : fabric.inside_mbps) speed_.push_back(units(mbps));
  load_.assign(speed_.size(), 0);
  const size_t nodes = fabric.nodes();
  routes_.resize(nodes * nodes);
  for (size_t from = 0; from < nodes; ++from) {
    for (size_t to = 0; to < nodes; ++to) {
      const std::uint8_t chosen = choice.leg(from, to);
      for_each_shared(fabric.legs[from], fabric.legs[to], [&](size_t from_leg, size_t to_leg) {
        if (from_leg == chosen) routes_[from * nodes + to] = {chosen, static_cast<std::uint8_t>(to_leg)};
      });
    }
  }
}

RouteLoads::Path RouteLoads::path(Flow flow, size_t from_leg, size_t to_leg) const {
  const auto device = [&] { return static_cast<std::uint32_t>(fabric_.legs[flow.from][from_leg].device); };
  return {first_edge_[flow.from] + static_cast<std::uint32_t>(from_leg),
          links_ + first_edge_[flow.to] + static_cast<std::uint32_t>(to_leg),
          oversubscribed_ ? 2 * links_ + device() : 0};
}

void RouteLoads::trace(Flow flow, size_t routing) {
  if (routing == kBasic) {
    const Route route = routes_[flow.from * fabric_.nodes() + flow.to];
    if (route.from_leg != Choice::kNone) paths_.push_back(path(flow, route.from_leg, route.to_leg));
  } else {
    for_each_shared(fabric_.legs[flow.from], fabric_.legs[flow.to],
                    [&](size_t from_leg, size_t to_leg) { paths_.push_back(path(flow, from_leg, to_leg)); });
  }
  ends_.push_back(paths_.size());
}

void RouteLoads::load(const Level& level, const std::vector<std::uint16_t>& map, size_t routing) {
  paths_.clear();
  ends_.clear();
  for (const Flow flow : level) trace({map[flow.from], map[flow.to]}, routing);
  for (const Path& path : paths_) {
    ++load_[path.up];
    ++load_[path.down];
    if (oversubscribed_) ++load_[path.inside];
  }
}

/// A level loads few of the edges, so only those are cleared.
void RouteLoads::unload() {
  for (const Path& path : paths_) load_[path.up] = load_[path.down] = load_[path.inside] = 0;
}

double RouteLoads::rate(const Path& path) const {
  const double links = std::min(speed_[path.up] / load_[path.up], speed_[path.down] / load_[path.down]);
  return oversubscribed_ ? std::min(links, speed_[path.inside] / load_[path.inside]) : links;
}

double RouteLoads::basic_mean(const Level& level, const std::vector<std::uint16_t>& map) {
  load(level, map, kBasic);
  double sum = 0;
  for (const Path& path : paths_) sum += rate(path);
  unload();
  return level.empty() ? 0 : sum / static_cast<double>(level.size());
}

void RouteLoads::rate_basic() {
  for (size_t flow = 0, at = 0; flow < ends_.size(); ++flow) {
    for (; at < ends_[flow]; ++at) rates_[flow][kBasic] = rate(paths_[at]);
  }
}

void RouteLoads::rate_advanced() {
  for (size_t flow = 0, at = 0; flow < ends_.size(); ++flow) {
    const size_t first = at;
    double slowest = std::numeric_limits<double>::infinity();
    for (; at < ends_[flow]; ++at) {
      const double path_rate = rate(paths_[at]);
      rates_[flow][kAdvanced] += path_rate;
      slowest = std::min(slowest, path_rate);
    }
    if (at > first) rates_[flow][kStriped] = static_cast<double>(at - first) * slowest;
  }
}

const std::vector<std::array<double, kRoutings.size()>>& RouteLoads::rates(const Level& level,
                                                                           const std::vector<std::uint16_t>& map) {
  rates_.assign(level.size(), {});
  load(level, map, kBasic);
  rate_basic();
  unload();
  load(level, map, kAdvanced);
  rate_advanced();
  unload();
  return rates_;
}

FlowRates RouteLoads::measure(const Level& level, const std::vector<std::uint16_t>& map) {
  FlowRates all;
  for (const auto& flow_rates : rates(level, map)) all.add({flow_rates, flow_rates, 1});
  return all;
}

FlowRates RouteLoads::measure(const FlowPattern& pattern, const std::vector<std::uint16_t>& map) {
  FlowRates all;
  for (const Level& level : pattern.levels) all.add(measure(level, map));
  return all;
}

}  // namespace fnn
