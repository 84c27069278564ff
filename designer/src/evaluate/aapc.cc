// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/aapc.h"

#include <algorithm>
#include <map>
#include <string>

#include "design/shared_switches.h"

namespace fnn {
namespace {

using std::size_t;

/// A number rounded for display, as a key of a histogram.
std::string key_of(double number) { return compact(with_integers(Json(round_decimals(number)))); }

/// Accumulates the results of one routing over all phases.
class Phases {
 public:
  explicit Phases(bool exact) : exact_(exact) {}

  /// Bandwidths of one phase: exact counts by Mb/s here, measured rates in links in the other overload.
  void add(const std::map<long long, long long>& by_mbps, const Fabric& fabric) {
    for (const auto& [mbps, routes] : by_mbps) histogram_[fabric.units(mbps).text()] += routes;
    const Rational least = fabric.units(by_mbps.begin()->first);
    add_phase(least.value());
    if (!(least == Rational(0))) exact_time_ = exact_time_ + Rational(1) / least;
  }

  void add(const std::vector<double>& rates) {
    for (const double rate : rates) ++histogram_[key_of(rate)];
    add_phase(*std::min_element(rates.begin(), rates.end()));
  }

  Json to_json() const {
    Json time = nullptr;
    if (!is_endless_) time = exact_ ? exact_number(exact_time_, time_) : exact_number(Rational(1, 0), time_);
    return {{"minima", minima_}, {"time", time}, {"histogram", histogram_}};
  }

 private:
  void add_phase(double least) {
    minima_.push_back(round_decimals(least));
    if (least > 0) time_ += 1 / least;
    else is_endless_ = true;
  }

  bool exact_;
  bool is_endless_ = false;
  double time_ = 0;
  Rational exact_time_;
  Json minima_ = Json::array();
  std::map<std::string, long long> histogram_;
};

/// Per routing, the bandwidth of one flow that has its links to itself.
std::array<long long, kRoutings.size()> single_flow_mbps(const Fabric& fabric, const Choice& choice, Flow flow) {
  std::array<long long, kRoutings.size()> mbps{};
  long long least = Fabric::kUnlimited;
  int switches = 0;
  const auto& from_legs = fabric.legs[flow.from];
  const auto& to_legs = fabric.legs[flow.to];
  for_each_shared(from_legs, to_legs, [&](size_t a, size_t b) {
    const long long here = std::min(from_legs[a].mbps, to_legs[b].mbps);
    if (choice.leg(flow.from, flow.to) == a) mbps[kBasic] = here;
    mbps[kAdvanced] += here;
    least = std::min(least, here);
    ++switches;
  });
  if (switches > 0) mbps[kStriped] = switches * least;
  return mbps;
}

}  // namespace

Json all_to_all(const Fabric& fabric, const Choice& choice) {
  // A phase is a permutation, so no two flows share a link; only oversubscribed switches slow flows down.
  const bool oversubscribed = fabric.has_oversubscribed_switches();
  const size_t nodes = fabric.nodes();
  const std::vector<std::uint16_t> order = rank_order(nodes);
  std::vector<Phases> phases(kRoutings.size(), Phases(!oversubscribed));
  RouteLoads loads(fabric, choice);
  for (size_t offset = 1; offset < nodes; ++offset) {
    const Level level = phase(nodes, offset);
    std::array<std::map<long long, long long>, kRoutings.size()> by_mbps;
    std::array<std::vector<double>, kRoutings.size()> measured_rates;
    if (oversubscribed) {
      for (const auto& throughput : loads.rates(level, order)) {
        for (size_t routing = 0; routing < throughput.size(); ++routing) {
          measured_rates[routing].push_back(throughput[routing]);
        }
      }
    } else {
      for (const Flow flow : level) {
        const auto mbps = single_flow_mbps(fabric, choice, flow);
        for (size_t routing = 0; routing < mbps.size(); ++routing) ++by_mbps[routing][mbps[routing]];
      }
    }
    for (size_t routing = 0; routing < phases.size(); ++routing) {
      if (oversubscribed) phases[routing].add(measured_rates[routing]);
      else phases[routing].add(by_mbps[routing], fabric);
    }
  }
  Json json = Json::object();
  for (size_t routing = 0; routing < phases.size(); ++routing) json[kRoutings[routing]] = phases[routing].to_json();
  return json;
}

}  // namespace fnn
