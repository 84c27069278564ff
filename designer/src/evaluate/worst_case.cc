// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/worst_case.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/assignment.h"
#include "design/shared_switches.h"
#include "evaluate/flows.h"
#include "evaluate/saturation.h"
#include "spec/patterns.h"

namespace fnn {
namespace {

using std::size_t;

// The assignment takes time cubic in the number of nodes.
constexpr size_t kMostAssigned = 512;

/// Throughput of the worst-case permutation, in links.
struct Permutation {
  Rational basic;
  Rational advanced;
  Rational best_low;   ///< reached by a known routing
  Rational best_high;  ///< upper bound for every routing
};

void lower(Rational& bound, const Rational& other) {
  if (other < bound) bound = other;
}

/// Limits by the weakest pair that shares a switch: its basic route, equal parts over its switches, all its switches.
std::optional<Permutation> weakest_pair(const Fabric& fabric, const Choice& choice) {
  std::optional<Permutation> weakest;
  for (size_t from = 0; from < fabric.nodes(); ++from) {
    for (size_t to = 0; to < fabric.nodes(); ++to) {
      if (from == to || choice.leg(from, to) == Choice::kNone) continue;
      long long route = 0;
      long long least = Fabric::kUnlimited;
      long long all = 0;
      int switches = 0;
      for_each_shared(fabric.legs[from], fabric.legs[to], [&](size_t from_leg, size_t to_leg) {
        const long long here = std::min(fabric.legs[from][from_leg].mbps, fabric.legs[to][to_leg].mbps);
        if (choice.leg(from, to) == from_leg) route = here;
        least = std::min(least, here);
        all += here;
        ++switches;
      });
      const Permutation here{fabric.units(route), fabric.units(switches * least), fabric.units(all), fabric.units(all)};
      if (!weakest) weakest = here;
      lower(weakest->basic, here.basic);
      lower(weakest->advanced, here.advanced);
      lower(weakest->best_low, here.best_low);
      lower(weakest->best_high, here.best_high);
    }
  }
  return weakest;
}

/// The fraction of each flow that crosses a switch, in units of 1 / kWhole; equal shares over up to 16 switches are
/// exact.
constexpr int kWhole = 720720;

std::vector<std::vector<int>> parts_over(const Fabric& fabric, const Choice& choice, int device, bool basic) {
  std::vector<std::vector<int>> parts(fabric.nodes(), std::vector<int>(fabric.nodes(), 0));
  for (size_t from = 0; from < fabric.nodes(); ++from) {
    for (size_t to = 0; to < fabric.nodes(); ++to) {
      if (from == to) continue;
      const std::vector<SharedLeg> shared = shared_legs(fabric.legs[from], fabric.legs[to]);
      for (const SharedLeg& leg : shared) {
        if (fabric.legs[from][leg.from_leg].device != device) continue;
        const bool routed = choice.leg(from, to) == leg.from_leg;
        parts[from][to] = basic ? (routed ? kWhole : 0) : kWhole / static_cast<int>(shared.size());
      }
    }
  }
  return parts;
}

/// The worst-case permutation of a switch (adversarial traffic), and its load in flows.
struct AdversarialTraffic {
  std::vector<DemandedFlow> flows;
  Rational load;
};

AdversarialTraffic adversarial_traffic_for(const Fabric& fabric, const Choice& choice, int device, bool basic) {
  AdversarialTraffic adversarial;
  if (fabric.nodes() > kMostAssigned) {
    adversarial.load = fabric.links[static_cast<size_t>(device)];
    return adversarial;
  }
  const std::vector<std::vector<int>> parts = parts_over(fabric, choice, device, basic);
  const std::vector<int> receivers = best_assignment(parts);
  long long sum = 0;
  for (size_t from = 0; from < receivers.size(); ++from) {
    const auto to = static_cast<size_t>(receivers[from]);
    if (parts[from][to] == 0) continue;
    sum += parts[from][to];
    adversarial.flows.push_back({{static_cast<std::uint16_t>(from), static_cast<std::uint16_t>(to)}, 1});
  }
  adversarial.load = {sum, kWhole};
  return adversarial;
}

/// Lowers the bounds by the limits of oversubscribed switches.
void apply_switch_limits(const Fabric& fabric, const Choice& choice, Permutation& worst) {
  double best_high = std::numeric_limits<double>::infinity();
  for (size_t device = 0; device < fabric.links.size(); ++device) {
    if (fabric.inside_mbps[device] >= fabric.links_mbps[device]) continue;
    const Rational inside = fabric.units(fabric.inside_mbps[device]);
    for (const bool basic : {true, false}) {
      const AdversarialTraffic adversarial = adversarial_traffic_for(fabric, choice, static_cast<int>(device), basic);
      if (Rational(0) < adversarial.load) lower(basic ? worst.basic : worst.advanced, inside / adversarial.load);
      if (const auto best = saturate(fabric, choice, adversarial.flows, false)) {
        best_high = std::min(best_high, best->best_high);
      }
    }
  }
  worst.best_low = worst.basic < worst.advanced ? worst.advanced : worst.basic;
  if (best_high >= worst.best_high.value()) return;
  // Rounded up to the decimals that documents use, since it is an upper bound.
  constexpr std::int64_t kUnits = 1000000;
  worst.best_high = {static_cast<std::int64_t>(std::ceil(best_high * kUnits)), kUnits};
}

Json ratios(double basic, double advanced, double best_high) {
  return {{"basic", round_decimals(basic / best_high)}, {"advanced", round_decimals(advanced / best_high)}};
}

Json permutation_json(const Permutation& worst) {
  return {{"basic", exact_number(worst.basic)},
          {"advanced", exact_number(worst.advanced)},
          {"optimal", {{"low", exact_number(worst.best_low)}, {"high", exact_number(worst.best_high)}}},
          {"ratio", ratios(worst.basic.value(), worst.advanced.value(), worst.best_high.value())}};
}

/// Both directions of weighted pairs, scaled to a mean weight of 1.
std::vector<DemandedFlow> demanded(const std::vector<WeightedPair>& pairs) {
  double weight = 0;
  for (const WeightedPair& pair : pairs) weight += pair.weight;
  std::vector<DemandedFlow> flows;
  for (const WeightedPair& pair : pairs) {
    const auto a = static_cast<std::uint16_t>(pair.a);
    const auto b = static_cast<std::uint16_t>(pair.b);
    const double amount = pair.weight * static_cast<double>(pairs.size()) / weight;
    flows.push_back({{a, b}, amount});
    flows.push_back({{b, a}, amount});
  }
  return flows;
}

std::vector<WeightedPair> all_pairs(size_t nodes) {
  std::vector<WeightedPair> pairs;
  for (int a = 0; a < static_cast<int>(nodes); ++a) {
    for (int b = a + 1; b < static_cast<int>(nodes); ++b) pairs.push_back({a, b, 1});
  }
  return pairs;
}

Json saturation_json(const std::string& name, const Fabric& fabric, const Choice& choice,
                     const std::vector<WeightedPair>& pairs) {
  Json json = {{"pattern", name}, {"pairs", pairs.size()}, {"basic", nullptr}, {"advanced", nullptr},
               {"optimal", nullptr}, {"ratio", nullptr}};
  const std::optional<Saturation> found = saturate(fabric, choice, demanded(pairs), true);
  if (!found) return json;
  json["basic"] = round_decimals(found->basic);
  json["advanced"] = round_decimals(found->advanced);
  json["optimal"] = {{"low", round_decimals(found->best_low)}, {"high", round_decimals(found->best_high)}};
  json["ratio"] = ratios(found->basic, found->advanced, found->best_high);
  return json;
}

/// The least ratio of our throughput to the best, of the worst-case permutation and of every pattern.
Json least_ratio(const Json& permutation, const Json& patterns) {
  if (permutation.is_null()) return nullptr;
  Json least = permutation["ratio"];
  for (const Json& pattern : patterns) {
    if (pattern["ratio"].is_null()) continue;
    for (const char* routing : {"basic", "advanced"}) {
      least[routing] = std::min(least[routing].get<double>(), pattern["ratio"][routing].get<double>());
    }
  }
  return least;
}

}  // namespace

Json worst_case(const Fabric& fabric, const Choice& choice, const Spec& spec) {
  std::optional<Permutation> worst = weakest_pair(fabric, choice);
  if (worst && fabric.has_oversubscribed_switches()) apply_switch_limits(fabric, choice, *worst);
  const Json permutation = worst ? permutation_json(*worst) : Json(nullptr);
  Json patterns = Json::array({saturation_json("all-to-all", fabric, choice, all_pairs(fabric.nodes()))});
  for (const Json& own : spec.normal["patterns"]) {
    patterns.push_back(saturation_json(own["kind"], fabric, choice, traffic_of(spec, own)));
  }
  if (const std::vector<WeightedPair> own = traffic_of(spec); !own.empty()) {
    patterns.push_back(saturation_json("own", fabric, choice, own));
  }
  return {{"permutation", permutation}, {"patterns", patterns}, {"ratio", least_ratio(permutation, patterns)}};
}

}  // namespace fnn
