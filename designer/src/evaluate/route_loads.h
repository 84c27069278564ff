// SPDX-License-Identifier: GPL-3.0-or-later
// What each of many flows gets that are under way at once.
//
// A flow goes up a link to a switch, through the switch, and down a link. What is left of such an edge for each of
// the flows over it is its speed divided by their number; a flow gets the least of its three edges. An example: node
// 0 sends to 1 and 2 over red. Its link to red carries two flows, so each gets half of it, though the links of 1 and
// 2 have room for more.
//
// Basic routing takes one switch per flow. Advanced routing uses all that the two nodes share, each as fast as it
// goes: the sum. Striping cuts a message into equal parts, one per switch, and waits for the slowest: their number
// times the least.
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

/// Of flows of one or more levels, per routing: in links.
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

  /// Of each flow, per routing, what it gets in links; nothing between nodes that share no switch. Rank r is node
  /// map[r]. The answer stays good until the next question.
  const std::vector<std::array<double, kRoutings.size()>>& rates(const Level& level,
                                                                 const std::vector<std::uint16_t>& map);
  FlowRates measure(const Level& level, const std::vector<std::uint16_t>& map);
  FlowRates measure(const FlowPattern& pattern, const std::vector<std::uint16_t>& map);
  /// The mean of what flows get with basic routing, for those who want no more.
  double basic_mean(const Level& level, const std::vector<std::uint16_t>& map);

 private:
  struct Path {
    std::uint32_t up;
    std::uint32_t down;
    std::uint32_t inside;  ///< only where some switch is narrow
  };

  Path path(Flow flow, std::size_t mine, std::size_t theirs) const;
  void trace(Flow flow, std::size_t routing);
  void load(const Level& level, const std::vector<std::uint16_t>& map, std::size_t routing);
  void unload();
  double rate(const Path& path) const;
  void rate_basic();
  void rate_advanced();

  /// The legs to the chosen switch at both ends; together, so that a flow reads memory once.
  struct Route {
    std::uint8_t mine = Choice::kNone;
    std::uint8_t theirs = Choice::kNone;
  };

  const Fabric& fabric_;
  std::vector<Route> routes_;              ///< of ordered pairs
  std::vector<std::uint32_t> first_edge_;  ///< of a node's links up; those down come after all of these
  std::uint32_t links_ = 0;
  bool narrow_;                            ///< whether the inside of a switch can be what limits a flow
  std::vector<double> speed_;              ///< of edges, in links
  std::vector<int> load_;                  ///< all 0 between questions
  std::vector<Path> paths_;                ///< of the flows of a level, one flow after the other
  std::vector<std::size_t> ends_;          ///< of each flow, where its paths end
  std::vector<std::array<double, kRoutings.size()>> rates_;
};

}  // namespace fnn
