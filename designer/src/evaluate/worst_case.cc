// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/worst_case.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/assignment.h"
#include "evaluate/flows.h"
#include "evaluate/saturation.h"
#include "spec/patterns.h"

namespace fnn {
namespace {

using std::size_t;

// The assignment takes time cubic in the number of nodes.
constexpr size_t kMostAssigned = 512;

/// How a flow divides over the switches that its nodes share: one of them, equal parts, or by weights.
enum class Division { kBasic, kAdvanced, kWeighted };
constexpr std::array kDivisions = {Division::kBasic, Division::kAdvanced, Division::kWeighted};
constexpr std::array kDivisionNames = {"basic", "advanced", "weighted"};

/// The routes of a design, for every division.
struct Routes {
  const Choice& choice;
  const Weights& weights;
};

/// Throughput of the worst-case permutation, in links.
struct Permutation {
  std::array<Rational, kDivisions.size()> reached;
  Rational best_low;   ///< reached by a known routing
  Rational best_high;  ///< upper bound for every routing
};

void lower(Rational& bound, const Rational& other) {
  if (other < bound) bound = other;
}

/// The part of a flow over the `index`-th of the switches that its nodes share.
Rational part_of(const Routes& routes, Flow flow, const std::vector<SharedLeg>& shared, size_t index, Division division) {
  if (division == Division::kBasic) return routes.choice.leg(flow.from, flow.to) == shared[index].from_leg ? 1 : 0;
  const std::vector<int>& weights = routes.weights.of(flow.from, flow.to);
  if (division == Division::kAdvanced || weights.empty()) return {1, static_cast<std::int64_t>(shared.size())};
  return {weights[index], std::accumulate(weights.begin(), weights.end(), 0)};
}

/// Mb/s as a fraction that is not reduced: a thousand nodes have a million pairs.
struct Mbps {
  long long top = Fabric::kUnlimited;  ///< kUnlimited before the first pair
  long long bottom = 1;

  void lower(const Mbps& other) {
    if (top == Fabric::kUnlimited || other.top * bottom < top * other.bottom) *this = other;
  }
  Rational links(const Fabric& fabric) const { return Rational(top, bottom) / fabric.unit_mbps; }
};

/// The throughput of the weakest pair without other traffic.
struct Weakest {
  std::array<Mbps, kDivisions.size()> reached;
  Mbps best;  ///< over all its switches

  /// A pair fills the path over a switch with the part of its flows that goes there.
  void add(const Fabric& fabric, const Routes& routes, Flow flow, const std::vector<SharedLeg>& shared) {
    const std::vector<int>& weights = routes.weights.of(flow.from, flow.to);
    const int sum = std::accumulate(weights.begin(), weights.end(), 0);
    long long all = 0;
    for (size_t i = 0; i < shared.size(); ++i) {
      const long long mbps = std::min(fabric.legs[flow.from][shared[i].from_leg].mbps, fabric.legs[flow.to][shared[i].to_leg].mbps);
      const Mbps equal{mbps * static_cast<long long>(shared.size()), 1};
      all += mbps;
      if (routes.choice.leg(flow.from, flow.to) == shared[i].from_leg) reached[0].lower({mbps, 1});
      reached[1].lower(equal);
      reached[2].lower(weights.empty() ? equal : Mbps{mbps * sum, weights[i]});
    }
    best.lower({all, 1});
  }
};

/// The limits by the weakest pair that shares a switch.
std::optional<Permutation> weakest_pair(const Fabric& fabric, const Routes& routes) {
  std::optional<Weakest> weakest;
  for (std::uint16_t from = 0; from < fabric.nodes(); ++from) {
    for (std::uint16_t to = 0; to < fabric.nodes(); ++to) {
      if (from == to) continue;
      const std::vector<SharedLeg> shared = shared_legs(fabric.legs[from], fabric.legs[to]);
      if (shared.empty()) continue;
      if (!weakest) weakest.emplace();
      weakest->add(fabric, routes, {from, to}, shared);
    }
  }
  if (!weakest) return std::nullopt;
  Permutation limits;
  for (size_t at = 0; at < limits.reached.size(); ++at) limits.reached[at] = weakest->reached[at].links(fabric);
  limits.best_low = limits.best_high = weakest->best.links(fabric);
  return limits;
}

/// The part of each flow that crosses a switch.
class PartsOver {
 public:
  PartsOver(const Fabric& fabric, const Routes& routes, int device, Division division)
      : parts_(fabric.nodes(), std::vector<Rational>(fabric.nodes())) {
    for (std::uint16_t from = 0; from < fabric.nodes(); ++from) {
      for (std::uint16_t to = 0; to < fabric.nodes(); ++to) {
        if (from == to) continue;
        const std::vector<SharedLeg> shared = shared_legs(fabric.legs[from], fabric.legs[to]);
        for (size_t i = 0; i < shared.size(); ++i) {
          if (fabric.legs[from][shared[i].from_leg].device != device) continue;
          parts_[from][to] = part_of(routes, {from, to}, shared, i, division);
        }
      }
    }
  }

  /// In whole units: equal shares over up to 16 switches are exact, others are rounded down.
  std::vector<std::vector<int>> in_units() const {
    std::vector<std::vector<int>> units;
    for (const auto& row : parts_) {
      auto& of_node = units.emplace_back();
      for (const Rational& part : row) of_node.push_back(static_cast<int>(part.value() * kWhole + kRounding));
    }
    return units;
  }

  const Rational& operator()(size_t from, size_t to) const { return parts_[from][to]; }

  static constexpr int kWhole = 720720;

 private:
  static constexpr double kRounding = 1e-6;

  std::vector<std::vector<Rational>> parts_;
};

/// The worst-case permutation of a switch (adversarial traffic), and its load in flows.
struct AdversarialTraffic {
  std::vector<DemandedFlow> flows;
  Rational load;
};

AdversarialTraffic adversarial_traffic_for(const Fabric& fabric, const Routes& routes, int device, Division division) {
  AdversarialTraffic adversarial;
  if (fabric.nodes() > kMostAssigned) {
    adversarial.load = fabric.links[static_cast<size_t>(device)];
    return adversarial;
  }
  const PartsOver parts(fabric, routes, device, division);
  const std::vector<std::vector<int>> units = parts.in_units();
  const std::vector<int> receivers = best_assignment(units);
  long long sum = 0;
  for (size_t from = 0; from < receivers.size(); ++from) {
    const auto to = static_cast<size_t>(receivers[from]);
    if (units[from][to] == 0) continue;
    sum += units[from][to];
    adversarial.load = adversarial.load + parts(from, to);
    adversarial.flows.push_back({{static_cast<std::uint16_t>(from), static_cast<std::uint16_t>(to)}, 1});
  }
  if (adversarial.load.has_overflowed()) adversarial.load = {sum, PartsOver::kWhole};
  return adversarial;
}

/// Lowers the bounds by the limits of oversubscribed switches.
void apply_switch_limits(const Fabric& fabric, const Routes& routes, Permutation& worst) {
  double best_high = std::numeric_limits<double>::infinity();
  for (size_t device = 0; device < fabric.links.size(); ++device) {
    if (fabric.inside_mbps[device] >= fabric.links_mbps[device]) continue;
    const Rational inside = fabric.units(fabric.inside_mbps[device]);
    for (size_t at = 0; at < kDivisions.size(); ++at) {
      const AdversarialTraffic adversarial =
          adversarial_traffic_for(fabric, routes, static_cast<int>(device), kDivisions[at]);
      if (Rational(0) < adversarial.load) lower(worst.reached[at], inside / adversarial.load);
      if (const auto bound = saturation_bound(fabric, adversarial.flows)) best_high = std::min(best_high, *bound);
    }
  }
  worst.best_low = *std::max_element(worst.reached.begin(), worst.reached.end());
  if (best_high >= worst.best_high.value()) return;
  // Rounded up to the decimals that documents use, since it is an upper bound.
  constexpr std::int64_t kUnits = 1000000;
  worst.best_high = {static_cast<std::int64_t>(std::ceil(best_high * kUnits)), kUnits};
}

Json ratios(const std::array<double, kDivisions.size()>& reached, double best_high) {
  Json json = Json::object();
  for (size_t at = 0; at < reached.size(); ++at) json[kDivisionNames[at]] = round_decimals(reached[at] / best_high);
  return json;
}

Json permutation_json(const Permutation& worst) {
  Json json = {{"optimal", {{"low", exact_number(worst.best_low)}, {"high", exact_number(worst.best_high)}}}};
  std::array<double, kDivisions.size()> reached{};
  for (size_t at = 0; at < reached.size(); ++at) {
    reached[at] = worst.reached[at].value();
    json[kDivisionNames[at]] = exact_number(worst.reached[at]);
  }
  json["ratio"] = ratios(reached, worst.best_high.value());
  return json;
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

Json saturation_json(const std::string& name, const Fabric& fabric, const Routes& routes,
                     const std::vector<WeightedPair>& pairs) {
  Json json = {{"pattern", name}, {"pairs", pairs.size()}, {"optimal", nullptr}, {"ratio", nullptr}};
  for (const char* division : kDivisionNames) json[division] = nullptr;
  const std::optional<Saturation> found = saturate(fabric, routes.choice, routes.weights, demanded(pairs), true);
  if (!found) return json;
  const std::array<double, kDivisions.size()> reached = {found->basic, found->advanced, found->weighted};
  for (size_t at = 0; at < reached.size(); ++at) json[kDivisionNames[at]] = round_decimals(reached[at]);
  json["optimal"] = {{"low", round_decimals(found->best_low)}, {"high", round_decimals(found->best_high)}};
  json["ratio"] = ratios(reached, found->best_high);
  return json;
}

/// The least ratio of our throughput to the best, of the worst-case permutation and of every pattern.
Json least_ratio(const Json& permutation, const Json& patterns) {
  if (permutation.is_null()) return nullptr;
  Json least = permutation["ratio"];
  for (const Json& pattern : patterns) {
    if (pattern["ratio"].is_null()) continue;
    for (const char* division : kDivisionNames) {
      least[division] = std::min(least[division].get<double>(), pattern["ratio"][division].get<double>());
    }
  }
  return least;
}

}  // namespace

Json worst_case(const Fabric& fabric, const Choice& choice, const Weights& weights, const Spec& spec) {
  const Routes routes{choice, weights};
  std::optional<Permutation> worst = weakest_pair(fabric, routes);
  if (worst && fabric.has_oversubscribed_switches()) apply_switch_limits(fabric, routes, *worst);
  const Json permutation = worst ? permutation_json(*worst) : Json(nullptr);
  Json patterns = Json::array({saturation_json("all-to-all", fabric, routes, all_pairs(fabric.nodes()))});
  for (const OwnPattern& own : own_traffic(spec)) {
    patterns.push_back(saturation_json(own.name, fabric, routes, own.pairs));
  }
  return {{"permutation", permutation}, {"patterns", patterns}, {"ratio", least_ratio(permutation, patterns)}};
}

}  // namespace fnn
