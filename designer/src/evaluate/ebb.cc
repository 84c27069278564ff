// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/ebb.h"

#include <algorithm>
#include <set>

#include "design/shared_switches.h"
#include "evaluate/pair_measures.h"
#include "evaluate/route_loads.h"

namespace fnn {
namespace {

using std::size_t;

/// Distinct link speeds in ascending order, preceded by 0 for pairs without a route.
std::vector<long long> speeds_of(const Fabric& fabric) {
  std::set<long long> speeds = {0};
  for (const auto& of_node : fabric.legs) {
    for (const Leg& leg : of_node) speeds.insert(leg.mbps);
  }
  return {speeds.begin(), speeds.end()};
}

/// Calls visit(from, to, Mb/s of the route) for every ordered pair; 0 where there is none.
template <typename Visit>
void for_each_route(const Fabric& fabric, const Choice& choice, Visit visit) {
  for (size_t from = 0; from < fabric.nodes(); ++from) {
    for (size_t to = 0; to < fabric.nodes(); ++to) {
      if (from == to) continue;
      int mbps = 0;
      for_each_shared(fabric.legs[from], fabric.legs[to], [&](size_t from_leg, size_t to_leg) {
        if (from_leg != choice.leg(from, to)) return;
        mbps = std::min(fabric.legs[from][from_leg].mbps, fabric.legs[to][to_leg].mbps);
      });
      visit(from, to, mbps);
    }
  }
}

void add_carry_save(Word& twos, Word& ones, Word a, Word b) {
  const Word half = ones ^ a;
  twos = (ones & a) | (half & b);
  ones = half ^ b;
}

/// Bandwidths summed over random patterns, in links.
struct PatternSums {
  Moments basic_uni, basic_sym, advanced_uni, advanced_sym;

  void add(const PatternSums& other) {
    basic_uni.add(other.basic_uni);
    basic_sym.add(other.basic_sym);
    advanced_uni.add(other.advanced_uni);
    advanced_sym.add(other.advanced_sym);
  }
};

PatternSums sample_unlimited(const Fabric& fabric, const Choice& choice, const Sampling& sampling) {
  const auto pairs = static_cast<double>(fabric.nodes() / 2);
  const auto links = [&](long long mbps) { return static_cast<double>(mbps) / fabric.unit_mbps / pairs; };
  const PairSums sums(fabric, choice);
  return sample<PatternSums>(
      fabric.nodes(), sampling, [&] { return sums; },
      [&](PairSums& worker, RandomOrders& orders, PatternSums& found) {
        const PairSums::Mbps mbps = worker.sum(orders.next());
        found.basic_uni.add(links(mbps.basic_forward));
        found.basic_sym.add((links(mbps.basic_forward) + links(mbps.basic_backward)) / 2);
        found.advanced_uni.add(links(mbps.advanced));
        found.advanced_sym.add(links(mbps.advanced));
      });
}

PatternSums sample_oversubscribed(const Fabric& fabric, const Choice& choice, const Sampling& sampling) {
  Level forward;
  Level both;
  for (size_t i = 0; i + 1 < fabric.nodes(); i += 2) {
    const Flow flow{static_cast<std::uint16_t>(i), static_cast<std::uint16_t>(i + 1)};
    forward.push_back(flow);
    both.push_back(flow);
    both.push_back({flow.to, flow.from});
  }
  const RouteLoads loads(fabric, choice);
  return sample<PatternSums>(
      fabric.nodes(), sampling, [&] { return loads; },
      [&](RouteLoads& worker, RandomOrders& orders, PatternSums& found) {
        const std::vector<std::uint16_t>& order = orders.next();
        const FlowRates uni = worker.measure(forward, order);
        const FlowRates sym = worker.measure(both, order);
        found.basic_uni.add(uni.mean(kBasic));
        found.basic_sym.add(sym.mean(kBasic));
        found.advanced_uni.add(uni.mean(kAdvanced));
        found.advanced_sym.add(sym.mean(kAdvanced));
      });
}

}  // namespace

long long count_all(const Word* words, size_t count) {
  Word ones = 0;
  Word twos = 0;
  Word fours = 0;
  long long eights = 0;
  size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const Word* w = words + i;
    Word two_a{}, two_b{}, four_a{}, four_b{}, eight{};
    add_carry_save(two_a, ones, w[0], w[1]);
    add_carry_save(two_b, ones, w[2], w[3]);
    add_carry_save(four_a, twos, two_a, two_b);
    add_carry_save(two_a, ones, w[4], w[5]);
    add_carry_save(two_b, ones, w[6], w[7]);
    add_carry_save(four_b, twos, two_a, two_b);
    add_carry_save(eight, fours, four_a, four_b);
    eights += count_bits(eight);
  }
  long long bits = 8 * eights + 4 * count_bits(fours) + 2 * count_bits(twos) + count_bits(ones);
  for (; i < count; ++i) bits += count_bits(words[i]);
  return bits;
}

PairSums::PairSums(const Fabric& fabric, const Choice& choice)
    : nodes_(fabric.nodes()), common_(fabric.nodes() / 2), speeds_(speeds_of(fabric)) {
  for (size_t step = 1; step < speeds_.size(); ++step) {
    BitRows fast(nodes_, fabric.links.size());
    for (size_t node = 0; node < nodes_; ++node) {
      for (const Leg& leg : fabric.legs[node]) {
        if (leg.mbps >= speeds_[step]) fast.insert(node, static_cast<size_t>(leg.device));
      }
    }
    for (size_t word = 0; word < fast.words(); ++word) {
      auto& mask = masks_.emplace_back();
      for (size_t node = 0; node < nodes_; ++node) mask.push_back(fast.row(node)[word]);
      steps_.push_back(speeds_[step] - speeds_[step - 1]);
    }
  }
  std::set<int> routed;
  for_each_route(fabric, choice, [&](size_t, size_t, int mbps) { routed.insert(mbps); });
  alike_ = routed.size() == 1 && *routed.begin() == speeds_.back();
  if (alike_) return;
  routed_.assign(nodes_ * nodes_, 0);
  for_each_route(fabric, choice, [&](size_t from, size_t to, int mbps) {
    const auto place = std::lower_bound(speeds_.begin(), speeds_.end(), mbps);
    routed_[from * nodes_ + to] = static_cast<std::uint16_t>(place - speeds_.begin());
  });
}

long long PairSums::advanced(const std::vector<std::uint16_t>& order) {
  long long sum = 0;
  for (size_t column = 0; column < masks_.size(); ++column) {
    const Word* mask = masks_[column].data();
    const std::uint16_t* node = order.data();
    for (size_t pair = 0; pair < common_.size(); ++pair, node += 2) common_[pair] = mask[node[0]] & mask[node[1]];
    sum += steps_[column] * count_all(common_.data(), common_.size());
  }
  return sum;
}

void PairSums::sum_basic(const std::vector<std::uint16_t>& order, Mbps& sums) const {
  if (alike_) {
    sums.basic_forward = sums.basic_backward = speeds_.back() * static_cast<long long>(common_.size());
    return;
  }
  for (size_t pair = 0; pair < common_.size(); ++pair) {
    const size_t a = order[2 * pair];
    const size_t b = order[2 * pair + 1];
    sums.basic_forward += speeds_[routed_[a * nodes_ + b]];
    sums.basic_backward += speeds_[routed_[b * nodes_ + a]];
  }
}

PairSums::Mbps PairSums::sum(const std::vector<std::uint16_t>& order) {
  Mbps sums;
  sum_basic(order, sums);
  sums.advanced = advanced(order);
  return sums;
}

Rational exact_basic(const Fabric& fabric, const Choice& choice) {
  long long sum = 0;
  for_each_route(fabric, choice, [&](size_t, size_t, int mbps) { sum += mbps; });
  return fabric.units(sum) / Rational(2 * fabric.pairs());
}

Json effective_bisection(const Fabric& fabric, const Choice& choice, const Sampling& sampling) {
  const bool oversubscribed = fabric.has_oversubscribed_switches();
  const PatternSums found = (oversubscribed ? sample_oversubscribed : sample_unlimited)(fabric, choice, sampling);
  const Json basic = oversubscribed ? Json(nullptr) : Json(exact_basic(fabric, choice).text());
  const Json advanced = oversubscribed ? Json(nullptr) : Json(mean_pairwise(fabric).text());
  const auto with = [](const Json& exact, const Moments& moments) {
    Json number = estimate(moments);
    number["exact"] = exact;
    return number;
  };
  return {{"basic", {{"uni", with(basic, found.basic_uni)}, {"sym", with(basic, found.basic_sym)}}},
          {"advanced", {{"uni", with(advanced, found.advanced_uni)}, {"sym", with(advanced, found.advanced_sym)}}}};
}

}  // namespace fnn
