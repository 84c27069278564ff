// SPDX-License-Identifier: GPL-3.0-or-later
//
// The objective function of the search
// ------------------------------------
// Two numbers rate a wiring, in lexicographic order. The first is the *deficit*: how many shared
// switches the wanted pairs lack in total. The second is the *cost* of the goals, which counts only
// between wirings of the same deficit: coverage is never traded away. Cost is the weighted sum of
//
//   shared switches   minus, per communicating pair, its traffic over the mean times f(bandwidth)
//   balance           per NIC, the square of its traffic over the mean of all NICs
//   exposure          1 per wanted pair that has no shared switch to spare
//   cable length      1 per meter between the racks at the ends of a cable
//   moved cables      minus 1 per cable that has not moved
//   price             per switch in use, its price over the mean price
//
// Where links differ in speed and a spec has no goals, the speed goals apply. The bandwidth that wanted pairs must have
// counts like coverage, in the deficit. The cost of a NIC with a link slower than it is exceeds all that the mean
// bandwidth can gain; the search (speed_search.cc) raises the required bandwidth until no wiring is found. Annealing
// discounts that cost, because a wiring is only left for a better one through worse ones.
//
// The bandwidth of a pair is the sum over its shared switches of the slower of its two links there,
// in units of the slowest link of all; with equal speeds it is the number of shared switches. The
// function f(x) = x^(7/8) is concave, 1, 1.83, 2.62, 3.36 ..., so a pair gets its second switch before
// another gets its fourth, but a fourth is still worth having. docs/reference/goals.md describes the
// goals for users.
//
// All terms are integers in units of 1/2^20, so that a kernel can add up the changes of a million moves
// and arrive at exactly the value that cost() computes from the links; debug builds compare the two.
#include "search/objective.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>

#include "design/cable_lengths.h"
#include "design/link_speeds.h"
#include "spec/goals.h"
#include "spec/spec.h"

namespace fnn {
namespace {

using std::size_t;

constexpr double kWeightUnit = 1024.0;  // GoalTables::weight and GoalTables::value; their product is a share
constexpr int kSteps = 4;               // per slowest link, where speeds differ
// 1 leaves 3 of 19 small clusters behind the optimum of the speed goals. In large ones the steps suffice for no more.
constexpr double kSpeedHeat = 5;
constexpr std::size_t kMostHotNics = 100;
constexpr std::int64_t kMostCost = std::int64_t{1} << 60U;
constexpr double kMeanLoad = 16384.0;   // GoalTables::nic_load
constexpr int kBalanceShift = 8;        // 16384^2 / 2^8 = 2^20, a share
constexpr double kInverseUnit = 1048576.0;

std::int64_t rounded(double x) { return static_cast<std::int64_t>(std::floor(x + 0.5)); }

std::int64_t in_shares(double shares) { return rounded(shares * static_cast<double>(kShare)); }

}  // namespace

size_t row_words(size_t nodes) {
  const size_t words = words_for(nodes);
  if (words <= 2) return words;
  if (words <= 4) return 4;
  return (words + 7) / 8 * 8;
}

Objective::Objective(Demand demand) : demand_(std::move(demand)) {
  if (!demand_.is_universal()) build_wanted_rows();
}

Objective::Objective(const Spec& spec, const Limits& limits, const Goals& goals, const FormerLinks* former_links)
    : Objective(spec, limits, Demand(spec), valued_pairs_of(spec), goals, former_links) {}

Objective::Objective(const Spec& spec, const Limits& limits, Demand demand,
                     const std::vector<WeightedPair>& communicating,
                     const Goals& goals, const FormerLinks* former_links)
    : Objective(std::move(demand)) {
  has_goals_ = goals.any();
  if (!has_goals_) return;
  if (goals.shared_switches > 0 || goals.balance > 0) set_pair_weights(communicating, spec.nodes.size(), false);
  if (goals.shared_switches > 0) set_bandwidth_values(spec, limits, goals.shared_switches);
  if (goals.balance > 0) set_load_scale(limits, goals.balance);
  if (goals.cable_length > 0 || goals.moved_cables > 0) set_link_costs(spec, limits, goals, former_links);
  if (goals.price > 0) set_switch_costs(spec, limits, goals.price);
  exposure_ = in_shares(goals.exposure);
  const double weights[] = {goals.shared_switches, goals.balance,      goals.exposure,
                            goals.cable_length,    goals.moved_cables, goals.price};
  scale_ = *std::max_element(std::begin(weights), std::end(weights));
  lightest_goal_ = scale_;
  for (const double weight : weights) lightest_goal_ = weight > 0 ? std::min(lightest_goal_, weight) : lightest_goal_;
}

void Objective::build_wanted_rows() {
  const BitRows& rows = demand_.wanted();
  const size_t nodes = demand_.nodes();
  const size_t words = row_words(nodes);
  wanted_.assign(nodes * words, 0);
  for (size_t node = 0; node < nodes; ++node) {
    std::copy_n(rows.row(node), rows.words(), wanted_.begin() + static_cast<std::ptrdiff_t>(node * words));
  }
}

/// `with_wanted` adds the wanted pairs, without weight unless they communicate.
void Objective::set_pair_weights(const std::vector<WeightedPair>& given, size_t nodes, bool with_wanted) {
  std::vector<WeightedPair> pairs = given;
  for (size_t a = 0; given.empty() && a < nodes; ++a) {
    for (size_t b = a + 1; b < nodes; ++b) pairs.push_back({static_cast<int>(a), static_cast<int>(b), 1.0});
  }
  double sum = 0;
  for (const WeightedPair& pair : pairs) sum += pair.weight;
  const double mean = pairs.empty() ? 1.0 : sum / static_cast<double>(pairs.size());
  std::vector<std::map<int, std::int64_t>> peers(with_wanted ? nodes : 0);
  std::vector<std::vector<std::pair<int, std::int64_t>>> listed(nodes);
  for (const WeightedPair& pair : pairs) {
    const std::int64_t weight = rounded(std::min(1e6, pair.weight / mean) * kWeightUnit);
    if (weight == 0) continue;
    for (const auto& [node, peer] : {std::pair(pair.a, pair.b), std::pair(pair.b, pair.a)}) {
      if (with_wanted) peers[Limits::at(node)][peer] += weight;
      else listed[Limits::at(node)].emplace_back(peer, weight);
    }
  }
  for (size_t node = 0; with_wanted && node < nodes; ++node) {
    for (size_t peer = 0; peer < nodes; ++peer) {
      if (peer != node && demand_.wants(node, peer)) peers[node].emplace(static_cast<int>(peer), 0);
    }
    listed[node].assign(peers[node].begin(), peers[node].end());
  }
  first_peer_.push_back(0);
  for (size_t node = 0; node < nodes; ++node) {
    for (const auto& [peer, weight] : listed[node]) {
      peer_.push_back(peer);
      weight_.push_back(static_cast<std::int32_t>(weight));
      if (with_wanted) required_.push_back(demand_.wants(node, Limits::at(peer)) ? 1 : 0);
    }
    first_peer_.push_back(static_cast<std::int32_t>(peer_.size()));
  }
}

/// The speeds of all links in multiples of `unit`. Returns the most that two nodes can have together.
int Objective::set_speeds(const Spec& spec, const Limits& limits, double unit) {
  const LinkSpeeds speeds(spec);
  groups_ = limits.groups.size();
  int most = 0;
  for (const Node& node : spec.nodes) {
    int sum = 0;
    for (size_t nic = 0; nic < node.nic_mbps.size(); ++nic) {
      int fastest = 0;
      for (const Group& group : limits.groups) {
        const int mbps = speeds.mbps(node, static_cast<int>(nic), group.device, group.port_mbps);
        speed_.push_back(static_cast<std::int32_t>(rounded(mbps / unit)));
        fastest = std::max(fastest, static_cast<int>(speed_.back()));
      }
      sum += fastest;
    }
    most = std::max(most, sum);
  }
  return most;
}

void Objective::set_bandwidth_values(const Spec& spec, const Limits& limits, double weight) {
  const LinkSpeeds speeds(spec);
  const bool mixed = speeds.differ();
  int most = 0;
  for (int node = 0; node < limits.node_count(); ++node) most = std::max(most, limits.nic_count(node));
  if (mixed) most = set_speeds(spec, limits, static_cast<double>(speeds.slowest()) / kSteps);
  for (int x = 0; x <= most; ++x) {
    const double bandwidth = static_cast<double>(x) / (mixed ? kSteps : 1);
    value_.push_back(static_cast<std::int32_t>(rounded(kWeightUnit * weight * bandwidth_value(bandwidth))));
  }
}

Objective::Objective(const Spec& spec, const Limits& limits, const SpeedGoals& goals) : Objective(Demand(spec)) {
  has_goals_ = goals.mean;
  set_pair_weights(valued_pairs_of(spec), spec.nodes.size(), true);
  const int most = set_speeds(spec, limits, LinkSpeeds(spec).unit());
  for (int x = 0; x <= most; ++x) value_.push_back(goals.mean ? x : 0);
  set_shortage(goals.required, most);
  if (goals.mean) set_below_costs(spec, limits, most);
}

/// A pair lacks one switch below the required bandwidth, and another below half of it, which guides the search.
void Objective::set_shortage(int required, int most) {
  for (int x = 0; x <= most; ++x) shortage_.push_back(x >= required ? 0 : x >= required - x ? 1 : 2);
}

void Objective::set_below_costs(const Spec& spec, const Limits& limits, int most) {
  const double unit = LinkSpeeds(spec).unit();
  size_t nic = 0;
  for (const Node& node : spec.nodes) {
    for (const int mbps : node.nic_mbps) {
      below_.push_back(1);  // an unused NIC
      for (size_t group = 0; group < groups_; ++group) below_.push_back(speed_[nic * groups_ + group] * unit < mbps ? 1 : 0);
      ++nic;
    }
  }
  const double weights = std::accumulate(weight_.begin(), weight_.end(), 0.0) / 2;
  below_cost_ = in_shares(std::min(weights * most, static_cast<double>(kMostCost) / static_cast<double>(nic)) /
                          static_cast<double>(kShare)) + 1;
  // What one link at full speed is worth at most: the scale of temperatures.
  const int fastest = *std::max_element(speed_.begin(), speed_.end());
  const int widest = *std::max_element(limits.usable_ports.begin(), limits.usable_ports.end());
  scale_ = kWeightUnit * fastest * std::max(1, std::min(limits.node_count(), widest) - 1) / static_cast<double>(kShare);
  lightest_goal_ = kWeightUnit / static_cast<double>(kShare);
  heat_ = nic <= kMostHotNics ? kSpeedHeat : 1;
  below_discount_ = std::max<std::int64_t>(0, below_cost_ - in_shares(scale_));
}

Objective Objective::without_goals() const {
  Objective coverage = shortage_.empty() ? Objective(demand_) : *this;
  coverage.has_goals_ = false;
  coverage.below_.clear();
  std::fill(coverage.value_.begin(), coverage.value_.end(), 0);
  return coverage;
}

void Objective::set_load_scale(const Limits& limits, double weight) {
  double sum = 0;  // counts each pair from both its ends
  for (const std::int32_t one : weight_) sum += one;
  const double mean = std::max(1.0, sum) / static_cast<double>(limits.nics.size());
  inverse_.push_back(0);
  for (int count = 1; count <= limits.switch_count(); ++count) {
    inverse_.push_back(rounded(kInverseUnit * std::sqrt(weight) * kMeanLoad / mean / count));
  }
}

void Objective::set_link_costs(const Spec& spec, const Limits& limits, const Goals& goals,
                               const FormerLinks* former_links) {
  const CableLengths lengths(spec);
  for (int node = 0; node < limits.node_count(); ++node) {
    for (int device = 0; device < limits.switch_count(); ++device) {
      const double length = lengths.meters(Limits::at(node), Limits::at(device));
      const bool kept = former_links != nullptr && former_links->was_on(node, device);
      link_cost_.push_back(in_shares(goals.cable_length * length) - (kept ? in_shares(goals.moved_cables) : 0));
    }
    link_cost_.push_back(0);  // the dummy
  }
}

/// A switch in use costs half its price, plus the other half times the square root of its fill level.
/// This slope guides the search towards an empty switch.
void Objective::set_switch_costs(const Spec& spec, const Limits& limits, double weight) {
  double sum = 0;
  for (const Switch& device : spec.switches) sum += device.price.value_or(1.0);
  const double mean = sum > 0 ? sum / static_cast<double>(spec.switches.size()) : 1.0;
  for (size_t device = 0; device < spec.switches.size(); ++device) {
    const double price = weight * spec.switches[device].price.value_or(1.0) / mean;
    const int ports = limits.usable_ports[device];
    first_load_.push_back(static_cast<std::int32_t>(load_cost_.size()));
    for (int load = 0; load <= ports; ++load) {
      const double used = load == 0 ? 0.0 : 0.5 + 0.5 * std::sqrt(static_cast<double>(load) / ports);
      load_cost_.push_back(in_shares(price * used));
    }
  }
}

GoalTables Objective::goal_tables(std::int64_t* nic_load) const {
  const auto or_null = [](const auto& table) { return table.empty() ? nullptr : table.data(); };
  return {.first_peer = or_null(first_peer_),
          .peer = or_null(peer_),
          .weight = or_null(weight_),
          .value = or_null(value_),
          .speed = or_null(speed_),
          .shortage = or_null(shortage_),
          .required = or_null(required_),
          .below = or_null(below_),
          .below_cost = below_cost_,
          .below_discount = below_discount_,
          .link_cost = or_null(link_cost_),
          .load_cost = or_null(load_cost_),
          .first_load = or_null(first_load_),
          .inverse = or_null(inverse_),
          .nic_load = nic_load,
          .exposure = exposure_,
          .balance_shift = kBalanceShift,
          .groups = static_cast<std::int32_t>(groups_)};
}

int Objective::bandwidth(const Wiring& wiring, int node, int peer) const {
  const Limits& limits = wiring.limits();
  const auto speed = [&](int nic) {
    return speed_.empty() ? 1 : speed_[Limits::at(nic) * groups_ + Limits::at(wiring.group(nic))];
  };
  int sum = 0;
  for (int mine = limits.first_nic[Limits::at(node)]; mine < limits.first_nic[Limits::at(node) + 1]; ++mine) {
    const int device = wiring.device(mine);
    if (device == kDummy || !wiring.is_on(peer, device)) continue;
    int theirs = limits.first_nic[Limits::at(peer)];
    while (wiring.device(theirs) != device) ++theirs;
    sum += std::min(speed(mine), speed(theirs));
  }
  return sum;
}

/// Calls visit(bandwidth) for every pair that must have the required bandwidth.
template <typename Visit>
void Objective::for_each_required(const Wiring& wiring, Visit visit) const {
  for (int node = 0; !shortage_.empty() && node < wiring.limits().node_count(); ++node) {
    for (auto i = Limits::at(first_peer_[Limits::at(node)]); i < Limits::at(first_peer_[Limits::at(node) + 1]); ++i) {
      if (peer_[i] > node && required_[i] != 0) visit(bandwidth(wiring, node, peer_[i]));
    }
  }
}

std::int64_t Objective::shortage(const Wiring& wiring) const {
  std::int64_t sum = 0;
  for_each_required(wiring, [&](int bandwidth) { sum += shortage_[Limits::at(bandwidth)]; });
  return sum;
}

int Objective::worst_bandwidth(const Wiring& wiring) const {
  int worst = std::numeric_limits<int>::max();
  for_each_required(wiring, [&](int bandwidth) { worst = std::min(worst, bandwidth); });
  return worst;
}

std::int64_t Objective::traffic_cost(const Wiring& wiring) const {
  std::int64_t gain = 0;
  for (int node = 0; node < wiring.limits().node_count(); ++node) {
    for (auto i = Limits::at(first_peer_[Limits::at(node)]); i < Limits::at(first_peer_[Limits::at(node) + 1]); ++i) {
      if (peer_[i] < node) continue;
      gain += static_cast<std::int64_t>(weight_[i]) * value_[Limits::at(bandwidth(wiring, node, peer_[i]))];
    }
  }
  return -gain;
}

std::vector<std::int64_t> Objective::nic_loads(const Wiring& wiring) const {
  const Limits& limits = wiring.limits();
  const auto devices = static_cast<size_t>(limits.switch_count());
  std::vector<std::int64_t> loads(Limits::at(limits.node_count()) * devices, 0);
  std::vector<size_t> common;
  for (int node = 0; node < limits.node_count(); ++node) {
    for (auto i = Limits::at(first_peer_[Limits::at(node)]); i < Limits::at(first_peer_[Limits::at(node) + 1]); ++i) {
      common.clear();
      for (size_t device = 0; device < devices; ++device) {
        const int number = static_cast<int>(device);
        if (wiring.is_on(node, number) && wiring.is_on(peer_[i], number)) common.push_back(device);
      }
      // Each pair is visited twice, once from either end.
      const std::int64_t share = (weight_[i] * inverse_[common.size()]) >> 20U;
      for (const size_t device : common) loads[Limits::at(node) * devices + device] += share;
    }
  }
  return loads;
}

std::int64_t Objective::balance_cost(const Wiring& wiring) const {
  std::int64_t cost = 0;
  for (const std::int64_t load : nic_loads(wiring)) cost += (load * load) >> kBalanceShift;
  return cost;
}

std::int64_t Objective::exposure_cost(const Wiring& wiring) const {
  std::int64_t exposed = 0;
  const int nodes = wiring.limits().node_count();
  for (int node = 0; node < nodes; ++node) {
    for (int peer = node + 1; peer < nodes; ++peer) {
      if (!demand_.wants(Limits::at(node), Limits::at(peer))) continue;
      int shared = 0;
      for (int device = 0; device < wiring.limits().switch_count(); ++device) {
        shared += wiring.is_on(node, device) && wiring.is_on(peer, device) ? 1 : 0;
      }
      exposed += shared == demand_.redundancy() ? 1 : 0;
    }
  }
  return exposed * exposure_;
}

std::int64_t Objective::cost(const Wiring& wiring) const {
  if (!has_goals_) return 0;
  const Limits& limits = wiring.limits();
  std::int64_t cost = 0;
  if (!value_.empty()) cost += traffic_cost(wiring);
  if (!inverse_.empty()) cost += balance_cost(wiring);
  if (exposure_ != 0) cost += exposure_cost(wiring);
  for (int nic = 0; !below_.empty() && nic < static_cast<int>(limits.nics.size()); ++nic) {
    cost += below_[Limits::at(nic) * (groups_ + 1) + Limits::at(wiring.group(nic) + 1)] * below_cost_;
  }
  const auto row = static_cast<size_t>(limits.switch_count()) + 1;
  for (int nic = 0; !link_cost_.empty() && nic < static_cast<int>(limits.nics.size()); ++nic) {
    if (wiring.group(nic) != kDummy) cost += link_cost_[Limits::at(wiring.node(nic)) * row + Limits::at(wiring.device(nic))];
  }
  for (int device = 0; !load_cost_.empty() && device < limits.switch_count(); ++device) {
    cost += load_cost_[Limits::at(first_load_[Limits::at(device)] + wiring.load(device))];
  }
  return cost;
}

}  // namespace fnn
