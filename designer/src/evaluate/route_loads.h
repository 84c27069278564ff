// SPDX-License-Identifier: GPL-3.0-or-later
// Throughput of simultaneous flows.
//
// A flow crosses three edges: a link up to a switch, the inside of the switch, and a link down. Each edge divides its
// speed evenly among its flows, and a flow gets the least of its three shares. An example: node 0 sends to nodes 1
// and 2 over red. Its link to red carries two flows, so each gets half of it, although the links of 1 and 2 have
// spare capacity.
//
// Basic routing uses one switch per flow. Advanced routing uses all switches that the two nodes share, each at its
// own rate: the throughput is the sum. Striping cuts a message into equal parts, one per switch, and waits for the
// slowest: the throughput is the number of parts times the least rate.
#pragma once

#include <array>
#include <vector>

#include "evaluate/fabric.h"
#include "evaluate/flows.h"
#include "routing/choice.h"

namespace fnn {

inline constexpr std::array<const char*, 3> kRoutings = {"basic", "advanced", "striped"};
inline constexpr std::size_t kBasic = 0;
inline constexpr std::size_t kAdvanced = 1;
inline constexpr std::size_t kStriped = 2;

/// Throughput of the flows of one or more levels, per routing, in links.
struct FlowRates {
  std::array<double, kRoutings.size()> sum{};
  std::array<double, kRoutings.size()> least{};
  std::size_t flows = 0;

  void add(const FlowRates& other);
  double mean(std::size_t routing) const { return flows == 0 ? 0 : sum[routing] / static_cast<double>(flows); }
};

class RouteLoads {
 public:
  /// The fabric must outlive it.
  RouteLoads(const Fabric& fabric, const Choice& choice);

  /// Per flow and routing, the throughput in links; 0 between nodes that share no switch. Rank r is node map[r]. The
  /// next call invalidates the result.
  const std::vector<std::array<double, kRoutings.size()>>& rates(const Level& level,
                                                                 const std::vector<std::uint16_t>& map);
  FlowRates measure(const Level& level, const std::vector<std::uint16_t>& map);
  FlowRates measure(const FlowPattern& pattern, const std::vector<std::uint16_t>& map);
  /// The mean throughput with basic routing only.
  double basic_mean(const Level& level, const std::vector<std::uint16_t>& map);

 private:
  struct Path {
    std::uint32_t up;
    std::uint32_t down;
    std::uint32_t inside;  ///< only where some switch is oversubscribed
  };

  Path path(Flow flow, std::size_t from_leg, std::size_t to_leg) const;
  void trace(Flow flow, std::size_t routing);
  void load(const Level& level, const std::vector<std::uint16_t>& map, std::size_t routing);
  void unload();
  double rate(const Path& path) const;
  void rate_basic();
  void rate_advanced();

  /// The legs to the chosen switch at both ends, stored together so that a flow costs one memory access.
  struct Route {
    std::uint8_t from_leg = Choice::kNone;
    std::uint8_t to_leg = Choice::kNone;
  };

  const Fabric& fabric_;
  std::vector<Route> routes_;              ///< per ordered pair
  std::vector<std::uint32_t> first_edge_;  ///< per node, its first edge up; edges down come after these
  std::uint32_t links_ = 0;
  bool oversubscribed_;            ///< whether the inside of a switch can be a bottleneck
  std::vector<double> speed_;      ///< per edge, in links
  std::vector<int> load_;          ///< per edge, all 0 between calls
  std::vector<Path> paths_;        ///< of the flows of a level, flow after flow
  std::vector<std::size_t> ends_;  ///< per flow, the end of its paths
  std::vector<std::array<double, kRoutings.size()>> rates_;
};

}  // namespace fnn
