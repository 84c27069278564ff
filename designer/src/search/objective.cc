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

#include "design/cable_lengths.h"
#include "design/link_speeds.h"
#include "spec/goals.h"
#include "spec/spec.h"

namespace fnn {
namespace {

using std::size_t;

constexpr double kWeightUnit = 1024.0;  // GoalTables::weight and GoalTables::value; their product is a share
constexpr int kSteps = 4;               // per slowest link, where speeds differ
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
  if (goals.shared_switches > 0 || goals.balance > 0) set_pair_weights(communicating, spec.nodes.size());
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

void Objective::set_pair_weights(const std::vector<WeightedPair>& given, size_t nodes) {
  std::vector<WeightedPair> pairs = given;
  for (size_t a = 0; given.empty() && a < nodes; ++a) {
    for (size_t b = a + 1; b < nodes; ++b) pairs.push_back({static_cast<int>(a), static_cast<int>(b), 1.0});
  }
  double sum = 0;
  for (const WeightedPair& pair : pairs) sum += pair.weight;
  const double mean = pairs.empty() ? 1.0 : sum / static_cast<double>(pairs.size());
  std::vector<std::vector<std::pair<int, std::int64_t>>> peers(nodes);
  for (const WeightedPair& pair : pairs) {
    const std::int64_t weight = rounded(std::min(1e6, pair.weight / mean) * kWeightUnit);
    if (weight == 0) continue;
    peers[Limits::at(pair.a)].emplace_back(pair.b, weight);
    peers[Limits::at(pair.b)].emplace_back(pair.a, weight);
  }
  first_peer_.push_back(0);
  for (const auto& of_node : peers) {
    for (const auto& [peer, weight] : of_node) {
      peer_.push_back(peer);
      weight_.push_back(static_cast<std::int32_t>(weight));
    }
    first_peer_.push_back(static_cast<std::int32_t>(peer_.size()));
  }
}

void Objective::set_bandwidth_values(const Spec& spec, const Limits& limits, double weight) {
  const LinkSpeeds speeds(spec);
  const bool mixed = speeds.differ();
  std::int64_t most = 0;
  for (int node = 0; node < limits.node_count(); ++node) most = std::max<std::int64_t>(most, limits.nic_count(node));
  if (mixed) {
    const double step = static_cast<double>(speeds.slowest()) / kSteps;
    for (const Node& node : spec.nodes) {
      for (size_t nic = 0; nic < node.nic_mbps.size(); ++nic) {
        for (int device = 0; device < limits.switch_count(); ++device) {
          speed_.push_back(static_cast<std::int32_t>(rounded(speeds.mbps(node, static_cast<int>(nic), device) / step)));
        }
      }
    }
    most *= *std::max_element(speed_.begin(), speed_.end());
  }
  for (std::int64_t x = 0; x <= most; ++x) {
    const double bandwidth = static_cast<double>(x) / (mixed ? kSteps : 1);
    value_.push_back(static_cast<std::int32_t>(rounded(kWeightUnit * weight * bandwidth_value(bandwidth))));
  }
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
  return {or_null(first_peer_), or_null(peer_),      or_null(weight_),  or_null(value_),
          or_null(speed_),      or_null(link_cost_), or_null(load_cost_), or_null(first_load_),
          or_null(inverse_),    nic_load,            exposure_,         kBalanceShift};
}

int Objective::bandwidth(const Wiring& wiring, int node, int peer) const {
  const Limits& limits = wiring.limits();
  const auto devices = static_cast<size_t>(limits.switch_count());
  const auto speed = [&](int nic, int device) {
    return speed_.empty() ? 1 : speed_[Limits::at(nic) * devices + Limits::at(device)];
  };
  int sum = 0;
  for (int mine = limits.first_nic[Limits::at(node)]; mine < limits.first_nic[Limits::at(node) + 1]; ++mine) {
    const int device = wiring.device(mine);
    if (device == kDummy || !wiring.is_on(peer, device)) continue;
    int theirs = limits.first_nic[Limits::at(peer)];
    while (wiring.device(theirs) != device) ++theirs;
    sum += std::min(speed(mine, device), speed(theirs, device));
  }
  return sum;
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
