// SPDX-License-Identifier: GPL-3.0-or-later
#include "network/forwarding_tables.h"

#include <algorithm>

namespace fnn {
namespace {

using std::size_t;

constexpr int kMorePasses = 2;
constexpr int kFar = std::numeric_limits<int>::max();

class Chooser {
 public:
  Chooser(const Network& network, RoutingChoice choice, std::uint64_t seed, const std::vector<bool>& closed)
      : network_(network), choice_(choice), closed_(closed), random_(seed), tables_(network),
        used_(network.edges().size(), 0) {}

  ForwardingTables choose() {
    // The first destinations were routed without the later ones, so balanced routing repeats the choice for each.
    const int passes = choice_ == RoutingChoice::kBalanced ? 1 + kMorePasses : 1;
    for (int pass = 0; pass < passes; ++pass) {
      for (size_t destination = 0; destination < network_.nodes(); ++destination) {
        measure_hops(destination);
        if (pass > 0) count_routes(destination, -1);
        choose_to(destination);
      }
    }
    return std::move(tables_);
  }

 private:
  bool is_closed(std::uint32_t edge) const { return !closed_.empty() && closed_[edge]; }

  /// Breadth-first search backwards from the destination; `nearest_` gets every vertex that reaches it, nearest
  /// first.
  void measure_hops(size_t destination) {
    hops_.assign(network_.vertices(), kFar);
    nearest_.clear();
    hops_[destination] = 0;
    nearest_.push_back(static_cast<std::uint32_t>(destination));
    for (size_t i = 0; i < nearest_.size(); ++i) {
      const std::uint32_t vertex = nearest_[i];
      if (vertex != destination && !network_.forwards(vertex)) continue;
      for (const std::uint32_t edge : network_.in(vertex)) {
        const std::uint32_t before = network_.edges()[edge].tail;
        if (is_closed(edge) || hops_[before] != kFar) continue;
        hops_[before] = hops_[vertex] + 1;
        nearest_.push_back(before);
      }
    }
  }

  void find_candidates(std::uint32_t vertex, size_t destination) {
    candidates_.clear();
    for (const std::uint32_t edge : network_.out(vertex)) {
      const std::uint32_t head = network_.edges()[edge].head;
      if (is_closed(edge) || hops_[head] != hops_[vertex] - 1) continue;
      if (head == destination || network_.forwards(head)) candidates_.push_back(edge);
    }
  }

  std::uint32_t pick(std::uint32_t vertex, size_t destination) {
    const auto by = [](const auto& values) {
      return [&](std::uint32_t a, std::uint32_t b) { return values[a] < values[b]; };
    };
    switch (choice_) {
      case RoutingChoice::kDModK: return candidates_[destination / network_.stride(vertex) % candidates_.size()];
      case RoutingChoice::kMinHop: return *std::min_element(candidates_.begin(), candidates_.end(), by(used_));
      case RoutingChoice::kBalanced: {
        const auto weight = [&](std::uint32_t edge) { return weight_over(edge); };
        return *std::min_element(candidates_.begin(), candidates_.end(),
                                 [&](std::uint32_t a, std::uint32_t b) { return weight(a) < weight(b); });
      }
      case RoutingChoice::kRandom: return candidates_[random_.below(candidates_.size())];
      case RoutingChoice::kOnly: break;
    }
    return candidates_.front();
  }

  /// The weight of the rest of the path over this edge. Squares, because one busy edge is worse than two half as
  /// busy.
  long long weight_over(std::uint32_t edge) const {
    return used_[edge] * used_[edge] + weights_[network_.edges()[edge].head];
  }

  void choose_to(size_t destination) {
    weights_.assign(network_.vertices(), 0);
    for (size_t i = 1; i < nearest_.size(); ++i) {
      const std::uint32_t vertex = nearest_[i];
      find_candidates(vertex, destination);
      const std::uint32_t edge = pick(vertex, destination);
      tables_.set(vertex, destination, edge);
      weights_[vertex] = weight_over(edge);
      if (choice_ == RoutingChoice::kMinHop) ++used_[edge];
    }
    if (choice_ == RoutingChoice::kBalanced) count_routes(destination, 1);
  }

  /// Adds `sign` times the routes to the destination on every edge that carries them.
  void count_routes(size_t destination, int sign) {
    routes_.assign(network_.vertices(), 0);
    for (size_t i = nearest_.size() - 1; i > 0; --i) {
      const std::uint32_t vertex = nearest_[i];
      const std::uint16_t edge = tables_.next(vertex, destination);
      const long long routes = routes_[vertex] + (network_.is_node(vertex) ? 1 : 0);
      used_[edge] += sign * routes;
      routes_[network_.edges()[edge].head] += routes;
    }
  }

  const Network& network_;
  RoutingChoice choice_;
  const std::vector<bool>& closed_;
  Random random_;
  ForwardingTables tables_;
  std::vector<long long> used_;     ///< per edge: its destinations (min-hop) or routes (balanced)
  std::vector<long long> weights_;  ///< per vertex, the weight of its path to the destination
  std::vector<long long> routes_;
  std::vector<int> hops_;
  std::vector<std::uint32_t> nearest_;
  std::vector<std::uint32_t> candidates_;
};

}  // namespace

const char* name_of(RoutingChoice choice) {
  switch (choice) {
    case RoutingChoice::kDModK: return "d-mod-k";
    case RoutingChoice::kMinHop: return "min-hop";
    case RoutingChoice::kBalanced: return "balanced";
    case RoutingChoice::kRandom: return "random";
    case RoutingChoice::kOnly: break;
  }
  return "only";
}

ForwardingTables choose_routes(const Network& network, RoutingChoice choice, std::uint64_t seed,
                               const std::vector<bool>& closed) {
  return Chooser(network, choice, seed, closed).choose();
}

}  // namespace fnn
