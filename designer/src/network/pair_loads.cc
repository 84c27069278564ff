// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "evaluate/route_loads.h"
#include "network/flow_loads.h"

namespace fnn {
namespace {

using std::size_t;

constexpr size_t kWidest = 8;
constexpr std::uint32_t kUnset = std::numeric_limits<std::uint32_t>::max();

/// Whether several distinct numbers were noted.
class DistinctNumbers {
 public:
  void add(std::uint32_t number) {
    if (first_ == kUnset) first_ = number;
    else several_ = several_ || first_ != number;
  }
  void add_many() { several_ = true; }
  bool more_than_one() const { return several_; }

 private:
  std::uint32_t first_ = kUnset;
  bool several_ = false;
};

}  // namespace

PairLoads::PairLoads(const RoutedNetwork& routed, int unit_mbps)
    : routed_(routed), flows_(routed, unit_mbps), unit_mbps_(unit_mbps), is_fast_(can_be_fast()) {
  const size_t nodes = routed.network.nodes();
  if (is_fast_) find_congestible_edges();
  if (is_fast_) write_records();
  there_.resize(nodes / 2);
  back_.resize(nodes / 2);
  offset_.resize(nodes / 2);
  for (size_t load = 0; load <= nodes; ++load) inverse_.push_back(1 / static_cast<double>(std::max<size_t>(1, load)));
  for (size_t i = 0; i + 1 < nodes; i += 2) {
    const Flow flow{static_cast<std::uint16_t>(i), static_cast<std::uint16_t>(i + 1)};
    uni_.push_back(flow);
    sym_.push_back(flow);
    sym_.push_back({flow.to, flow.from});
  }
  if (is_fast_) return;
  // Routes may be long: on a ring, the mean length is a quarter of the nodes.
  double steps = 0;
  for (size_t to = 0; to < nodes; ++to) {
    bool reached = true;
    steps += static_cast<double>(steps_from(static_cast<std::uint32_t>((to + 1 + nodes / 4) % nodes), to, reached).size());
  }
  steps_ = 4 * steps;
}

/// Requires that every node has one NIC of the same speed and that only switches forward.
bool PairLoads::can_be_fast() const {
  const Network& network = routed_.network;
  if (routed_.layers.size() > 1 || network.nodes_forward) return false;
  long long mbps = 0;
  for (size_t node = 0; node < network.nodes(); ++node) {
    if (network.out(node).size() != 1) return false;
    const long long here = network.edges()[network.out(node)[0]].mbps;
    if (mbps != 0 && mbps != here) return false;
    mbps = here;
  }
  return true;
}

/// The edges from a vertex to a node, except the last.
std::vector<std::uint32_t> PairLoads::steps_from(std::uint32_t vertex, size_t to, bool& reached) const {
  std::vector<std::uint32_t> steps;
  const std::uint16_t* const next = routed_.layers[0].tables.to(to);
  reached = true;
  while (vertex != to) {
    const std::uint16_t edge = next[vertex];
    if (edge == ForwardingTables::kNone) {
      reached = false;
      return {};
    }
    steps.push_back(edge);
    vertex = routed_.network.edges()[edge].head;
  }
  if (!steps.empty()) steps.pop_back();
  return steps;
}

void PairLoads::find_congestible_edges() {
  const Network& network = routed_.network;
  std::vector<std::uint32_t> row_of(network.vertices(), kUnset);
  for (size_t node = 0; node < network.nodes(); ++node) {
    const Network::Edge& nic = network.edges()[network.out(node)[0]];
    nic_speed_ = static_cast<double>(nic.mbps) / unit_mbps_;
    if (row_of[nic.head] == kUnset) {
      row_of[nic.head] = static_cast<std::uint32_t>(first_.size());
      first_.push_back(nic.head);
      members_.push_back(0);
    }
    row_.push_back(row_of[nic.head]);
    ++members_[row_.back()];
  }
  std::vector<DistinctNumbers> sources(network.edges().size());
  std::vector<DistinctNumbers> targets(network.edges().size());
  std::vector<bool> slower(network.edges().size(), false);
  for (size_t edge = 0; edge < slower.size(); ++edge) {
    slower[edge] = static_cast<double>(network.edges()[edge].mbps) / unit_mbps_ < nic_speed_;
  }
  for (std::uint32_t row = 0; row < first_.size(); ++row) {
    for (size_t to = 0; to < network.nodes(); ++to) {
      bool reached = true;
      for (const std::uint32_t edge : steps_from(first_[row], to, reached)) {
        sources[edge].add(row);
        if (members_[row] > 1) sources[edge].add_many();
        targets[edge].add(static_cast<std::uint32_t>(to));
      }
      // A pair without a path is rare, and the fast version does not support it.
      if (!reached) is_fast_ = false;
    }
  }
  id_.assign(network.edges().size(), 0);
  slowness_.push_back(0);
  for (size_t edge = 0; edge < id_.size(); ++edge) {
    if (!slower[edge] && !(sources[edge].more_than_one() && targets[edge].more_than_one())) continue;
    id_[edge] = static_cast<Id>(ids_++);
    slowness_.push_back(unit_mbps_ / static_cast<double>(network.edges()[edge].mbps));
    even_ = even_ && static_cast<double>(network.edges()[edge].mbps) == nic_speed_ * unit_mbps_;
  }
}

void PairLoads::write_records() {
  const size_t nodes = routed_.network.nodes();
  std::vector<std::vector<Id>> congestible(first_.size() * nodes);
  for (size_t row = 0; row < first_.size(); ++row) {
    for (size_t to = 0; to < nodes; ++to) {
      bool reached = true;
      for (const std::uint32_t edge : steps_from(first_[row], to, reached)) {
        if (id_[edge] != 0) congestible[row * nodes + to].push_back(id_[edge]);
      }
      width_ = std::max(width_, congestible[row * nodes + to].size());
    }
  }
  if (width_ > kWidest) {
    is_fast_ = false;
    return;
  }
  records_.assign(congestible.size() * width_, 0);
  for (size_t i = 0; i < congestible.size(); ++i) {
    std::copy(congestible[i].begin(), congestible[i].end(), records_.begin() + static_cast<std::ptrdiff_t>(i * width_));
  }
  load_.assign(routed_.network.copies * ids_, 0);
  steps_ = static_cast<double>(nodes * (width_ + 1));
}

template <size_t kWidth>
void PairLoads::add_loads(const std::vector<const Id*>& records) {
  for (size_t pair = 0; pair < records.size(); ++pair) {
    std::uint32_t* const load = load_.data() + offset_[pair];
    for (size_t i = 0; i < kWidth; ++i) ++load[records[pair][i]];
  }
  // Id 0 collects the padding of records, which is no edge.
  for (size_t copy = 0; copy < load_.size(); copy += ids_) load_[copy] = 0;
}

template <size_t kWidth>
double PairLoads::sum_rates(const std::vector<const Id*>& records) const {
  double sum = 0;
  if (even_) {
    for (size_t pair = 0; pair < records.size(); ++pair) {
      const std::uint32_t* const load = load_.data() + offset_[pair];
      std::uint32_t most = 1;
      for (size_t i = 0; i < kWidth; ++i) most = std::max(most, load[records[pair][i]]);
      sum += inverse_[most];
    }
    return sum * nic_speed_;
  }
  for (size_t pair = 0; pair < records.size(); ++pair) {
    const std::uint32_t* const load = load_.data() + offset_[pair];
    double slowest = 1 / nic_speed_;
    for (size_t i = 0; i < kWidth; ++i) slowest = std::max(slowest, load[records[pair][i]] * slowness_[records[pair][i]]);
    sum += 1 / slowest;
  }
  return sum;
}

template <size_t kWidth>
void PairLoads::measure_with(const std::vector<std::uint16_t>& order, size_t routing, PairMeans& means) {
  const auto pairs = static_cast<double>(there_.size());
  const size_t copies = routed_.network.copies;
  const bool basic = routing == kBasic;
  for (size_t pair = 0; pair < offset_.size(); ++pair) {
    offset_[pair] = basic && copies > 1
                        ? static_cast<std::uint32_t>((size_t{order[2 * pair]} + order[2 * pair + 1]) % copies * ids_)
                        : 0;
  }
  const double times = basic ? 1 : static_cast<double>(copies);
  add_loads<kWidth>(there_);
  means.uni[routing] = times * sum_rates<kWidth>(there_) / pairs;
  add_loads<kWidth>(back_);
  means.sym[routing] = times * (sum_rates<kWidth>(there_) + sum_rates<kWidth>(back_)) / (2 * pairs);
  std::fill(load_.begin(), load_.end(), 0);
}

template <size_t kWidth>
PairMeans PairLoads::measure_fast(const std::vector<std::uint16_t>& order) {
  const size_t nodes = routed_.network.nodes();
  for (size_t pair = 0; pair < there_.size(); ++pair) {
    const size_t a = order[2 * pair];
    const size_t b = order[2 * pair + 1];
    there_[pair] = records_.data() + (row_[a] * nodes + b) * kWidth;
    back_[pair] = records_.data() + (row_[b] * nodes + a) * kWidth;
  }
  PairMeans means;
  measure_with<kWidth>(order, kBasic, means);
  if (flows_.has_single_path()) {
    means.uni[kAdvanced] = means.uni[kBasic];
    means.sym[kAdvanced] = means.sym[kBasic];
  } else {
    measure_with<kWidth>(order, kAdvanced, means);
  }
  return means;
}

PairMeans PairLoads::measure_slow(const std::vector<std::uint16_t>& order) {
  PairMeans means;
  const auto mean = [&](const Level& level) {
    RoutingRates sum{};
    for (const RoutingRates& rate : flows_.rates(level, order)) {
      for (size_t routing = 0; routing < sum.size(); ++routing) sum[routing] += rate[routing];
    }
    for (double& each : sum) each /= static_cast<double>(level.size());
    return sum;
  };
  means.uni = mean(uni_);
  means.sym = mean(sym_);
  return means;
}

PairMeans PairLoads::measure(const std::vector<std::uint16_t>& order) {
  if (!is_fast_) return measure_slow(order);
  switch (width_) {
    case 0: return measure_fast<0>(order);
    case 1: return measure_fast<1>(order);
    case 2: return measure_fast<2>(order);
    case 3: return measure_fast<3>(order);
    case 4: return measure_fast<4>(order);
    case 5: return measure_fast<5>(order);
    case 6: return measure_fast<6>(order);
    case 7: return measure_fast<7>(order);
    default: return measure_fast<8>(order);
  }
}

}  // namespace fnn
