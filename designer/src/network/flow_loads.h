// SPDX-License-Identifier: GPL-3.0-or-later
// Throughput of simultaneous flows in a routed network.
//
// As in route_loads.h, each edge divides its speed evenly among its flows, and a flow gets the least share on its
// path. Basic routing uses one of the pair's paths, selected by the sum of the two ranks, like a bond or equal-cost
// multipath (ECMP) that hashes addresses. Advanced routing uses all paths at once, and the throughput is their sum.
#pragma once

#include <array>
#include <vector>

#include "evaluate/flows.h"
#include "network/forwarding_tables.h"

namespace fnn {

/// Basic, then advanced; the indexes are those of route_loads.h.
using RoutingRates = std::array<double, 2>;

class FlowLoads {
 public:
  /// Rates are in units of `unit_mbps`. The network must outlive it.
  FlowLoads(const RoutedNetwork& routed, int unit_mbps);

  /// Throughput per flow; 0 without a path. Rank r is node map[r]. The next call invalidates the result.
  const std::vector<RoutingRates>& rates(const Level& level, const std::vector<std::uint16_t>& map);

  /// Whether basic and advanced routing are identical, because no pair has more than one path.
  bool has_single_path() const { return routed_.layers.size() == 1 && routed_.network.copies == 1; }

 private:
  struct Route {
    std::size_t flow;
    std::size_t end;  ///< in steps_; empty when there is no path
  };

  void trace(std::size_t flow, std::size_t layer, std::size_t copy, Flow ends);
  void trace_basic(const Level& level, const std::vector<std::uint16_t>& map);
  void trace_advanced(const Level& level, const std::vector<std::uint16_t>& map);
  void compute_rates(std::size_t routing, double times);

  const RoutedNetwork& routed_;
  std::size_t edges_;
  std::vector<std::uint16_t> head_;     ///< per edge; compact, because a hop waits for it
  std::vector<double> speed_;           ///< per edge of each copy
  std::vector<std::uint32_t> load_;     ///< per edge of each copy; all 0 between calls
  std::vector<std::uint32_t> steps_;    ///< edges, one route after the other
  std::vector<Route> routes_;
  std::vector<RoutingRates> rates_;
};

/// Mean throughput per flow of a random pattern, in one direction and in both, in links.
struct PairMeans {
  RoutingRates uni{};
  RoutingRates sym{};
};

/// The fast version for random pairs (order[2i], order[2i + 1]).
///
/// In such a pattern no node has two flows in one direction, so only edges between switches can be congested, and of
/// these only edges that carry routes from several nodes to several nodes. All nodes on a switch share the rest of
/// the path, so there is one short record per switch and destination, and all records together fit into the processor
/// cache.
class PairLoads {
 public:
  PairLoads(const RoutedNetwork& routed, int unit_mbps);

  PairMeans measure(const std::vector<std::uint16_t>& order);

  /// Whether no two flows ever share an edge, so that every pattern gives exactly the mean over pairs.
  bool is_uncongested() const { return is_fast_ && width_ == 0; }
  /// The approximate number of edges visited per pattern, a measure of its cost.
  double steps_per_pattern() const { return steps_; }

 private:
  using Id = std::uint16_t;

  bool can_be_fast() const;
  void find_congestible_edges();
  void write_records();
  std::vector<std::uint32_t> steps_from(std::uint32_t vertex, std::size_t to, bool& reached) const;
  template <std::size_t kWidth>
  PairMeans measure_fast(const std::vector<std::uint16_t>& order);
  template <std::size_t kWidth>
  void add_loads(const std::vector<const Id*>& records);
  template <std::size_t kWidth>
  double sum_rates(const std::vector<const Id*>& records) const;
  template <std::size_t kWidth>
  void measure_with(const std::vector<std::uint16_t>& order, std::size_t routing, PairMeans& means);
  PairMeans measure_slow(const std::vector<std::uint16_t>& order);

  const RoutedNetwork& routed_;
  FlowLoads flows_;
  double unit_mbps_;
  bool is_fast_;
  double nic_speed_ = 0;                ///< in links
  bool even_ = true;                    ///< every congestible edge has the speed of NICs
  double steps_ = 0;
  std::vector<std::uint32_t> row_;      ///< per node, the row of its switch
  std::vector<std::uint32_t> first_;    ///< per row, its switch
  std::vector<std::uint32_t> members_;  ///< nodes per row
  std::vector<Id> id_;                  ///< per edge, its id if it can be congested, else 0
  std::size_t ids_ = 1;
  std::size_t width_ = 0;               ///< ids in a record
  std::vector<Id> records_;
  std::vector<std::uint32_t> load_;     ///< per copy and id
  std::vector<double> slowness_;        ///< per id, the inverse of its speed in links
  std::vector<double> inverse_;         ///< inverses of small whole numbers
  std::vector<const Id*> there_;
  std::vector<const Id*> back_;
  std::vector<std::uint32_t> offset_;   ///< per pair, where the loads of its copy begin
  Level uni_;
  Level sym_;
};

}  // namespace fnn
