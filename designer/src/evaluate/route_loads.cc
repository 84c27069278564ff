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
    : fabric_(fabric), choice_(choice), narrow_(fabric.has_narrow_switches()) {
  const auto units = [&](long long mbps) {
    if (mbps == Fabric::kUnlimited) return std::numeric_limits<double>::infinity();
    return static_cast<double>(mbps) / fabric.unit_mbps;
  };
  for (const auto& of_node : fabric.legs) {
    first_edge_.push_back(speed_.size());
    for (const Leg& leg : of_node) speed_.push_back(units(leg.mbps));
  }
  links_ = speed_.size();
  speed_.resize(2 * links_);
  std::copy_n(speed_.begin(), links_, speed_.begin() + static_cast<std::ptrdiff_t>(links_));
  for (const long long mbps : fabric.inside_mbps) speed_.push_back(units(mbps));
  load_.assign(speed_.size(), 0);
  const size_t nodes = fabric.nodes();
  theirs_.assign(nodes * nodes, Choice::kNone);
  for (size_t from = 0; from < nodes; ++from) {
    for (size_t to = 0; to < nodes; ++to) {
      for_each_shared(fabric.legs[from], fabric.legs[to], [&](size_t mine, size_t theirs) {
        if (mine == choice.leg(from, to)) theirs_[from * nodes + to] = static_cast<std::uint8_t>(theirs);
      });
    }
  }
}

RouteLoads::Path RouteLoads::path(Flow flow, size_t mine, size_t theirs) const {
  const auto device = static_cast<size_t>(fabric_.legs[flow.from][mine].device);
  return {first_edge_[flow.from] + mine, links_ + first_edge_[flow.to] + theirs, 2 * links_ + device};
}

template <typename Visit>
void RouteLoads::for_each_path(size_t routing, Flow flow, Visit visit) const {
  if (routing == kBasic) {
    const size_t mine = choice_.leg(flow.from, flow.to);
    if (mine != Choice::kNone) visit(path(flow, mine, theirs_[flow.from * fabric_.nodes() + flow.to]));
    return;
  }
  for_each_shared(fabric_.legs[flow.from], fabric_.legs[flow.to],
                  [&](size_t mine, size_t theirs) { visit(path(flow, mine, theirs)); });
}

void RouteLoads::place(const Level& level, const std::vector<std::uint16_t>& map) {
  placed_.clear();
  for (const Flow flow : level) placed_.push_back({map[flow.from], map[flow.to]});
}

void RouteLoads::load(size_t routing) {
  for (const Flow flow : placed_) {
    for_each_path(routing, flow, [&](const Path& path) {
      ++load_[path.up];
      ++load_[path.down];
      if (narrow_) ++load_[path.inside];
    });
  }
}

/// Few edges of many are loaded, so those are cleared and no others.
void RouteLoads::unload(size_t routing) {
  for (const Flow flow : placed_) {
    for_each_path(routing, flow, [&](const Path& path) { load_[path.up] = load_[path.down] = load_[path.inside] = 0; });
  }
}

double RouteLoads::rate(const Path& path) const {
  const double links = std::min(speed_[path.up] / load_[path.up], speed_[path.down] / load_[path.down]);
  return narrow_ ? std::min(links, speed_[path.inside] / load_[path.inside]) : links;
}

double RouteLoads::basic_mean(const Level& level, const std::vector<std::uint16_t>& map) {
  place(level, map);
  load(kBasic);
  double sum = 0;
  for (const Flow flow : placed_) {
    for_each_path(kBasic, flow, [&](const Path& path) { sum += rate(path); });
  }
  unload(kBasic);
  return level.empty() ? 0 : sum / static_cast<double>(level.size());
}

void RouteLoads::rate_basic() {
  load(kBasic);
  for (size_t i = 0; i < placed_.size(); ++i) {
    for_each_path(kBasic, placed_[i], [&](const Path& path) { rates_[i][kBasic] = rate(path); });
  }
  unload(kBasic);
}

void RouteLoads::rate_advanced() {
  load(kAdvanced);
  for (size_t i = 0; i < placed_.size(); ++i) {
    double slowest = std::numeric_limits<double>::infinity();
    int paths = 0;
    for_each_path(kAdvanced, placed_[i], [&](const Path& path) {
      const double gets = rate(path);
      rates_[i][kAdvanced] += gets;
      slowest = std::min(slowest, gets);
      ++paths;
    });
    if (paths > 0) rates_[i][kStriped] = paths * slowest;
  }
  unload(kAdvanced);
}

const std::vector<std::array<double, kRoutings.size()>>& RouteLoads::rates(const Level& level,
                                                                           const std::vector<std::uint16_t>& map) {
  place(level, map);
  rates_.assign(level.size(), {});
  rate_basic();
  rate_advanced();
  return rates_;
}

FlowRates RouteLoads::measure(const Level& level, const std::vector<std::uint16_t>& map) {
  FlowRates all;
  for (const auto& gets : rates(level, map)) all.add({gets, gets, 1});
  return all;
}

FlowRates RouteLoads::measure(const FlowPattern& pattern, const std::vector<std::uint16_t>& map) {
  FlowRates all;
  for (const Level& level : pattern.levels) all.add(measure(level, map));
  return all;
}

}  // namespace fnn
