// SPDX-License-Identifier: GPL-3.0-or-later
#include "program/speed_upgrades.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "base/problem.h"
#include "design/pins.h"
#include "design/port_choice.h"
#include "design/quality.h"
#include "export/speed_facts.h"
#include "program/speed_search.h"
#include "spec/goals.h"
#include "spec/media.h"

namespace fnn {
namespace {

constexpr std::size_t kMostUpgradedNodes = 64;  // beyond, the searches take longer than the answer is worth
constexpr std::size_t kMostUpgrades = 2;
constexpr std::size_t kMostTried = 4;

struct Purchase {
  std::string change;
  Json normal;  ///< the spec with it
};

/// `8 ports of 2.5 Gb/s and 2 of 10 Gb/s`
std::string ports_text(const Json& device) {
  std::string text;
  for (const Json& group : device["ports"]) {
    text += text.empty() ? counted(group["count"].get<long long>(), "port") : " and " + compact(group["count"]);
    text += " of " + speed_text(group["speed_mbps"].get<double>());
  }
  return text;
}

/// The next speed above `mbps` of NICs of a medium, or 0.
int next_speed(const Spec& spec, const Json& group) {
  int next = 0;
  for (const Node& node : spec.nodes) {
    for (std::size_t nic = 0; nic < node.nic_mbps.size(); ++nic) {
      const int mbps = node.nic_mbps[nic];
      if (node.nic_media[nic] != media_family(group["media"]) || mbps <= group["speed_mbps"]) continue;
      next = next == 0 ? mbps : std::min(next, mbps);
    }
  }
  return next;
}

/// What may be bought, each kind of switch once.
std::vector<Purchase> purchases(const Spec& spec) {
  std::vector<Purchase> found;
  std::set<std::string> swapped, added;
  const Json& switches = spec.normal["switches"];
  for (std::size_t j = 0; j < switches.size(); ++j) {
    const Json& device = switches[j];
    for (std::size_t g = 0; g < device["ports"].size(); ++g) {
      const int faster = next_speed(spec, device["ports"][g]);
      if (faster == 0 || !swapped.insert(compact(device["ports"]) + std::to_string(g)).second) continue;
      Purchase swap{"", spec.normal};
      Json& ports = swap.normal["switches"][j]["ports"][g];
      swap.change = compact(ports["count"]) + " ports of " + speed_text(faster) + " instead of " +
                    speed_text(ports["speed_mbps"].get<double>()) + " in " + device["name"].get<std::string>();
      ports["speed_mbps"] = faster;
      found.push_back(std::move(swap));
    }
    if (!added.insert(compact(device["ports"])).second) continue;
    Purchase more{"one more switch of " + ports_text(device), spec.normal};
    Json another = device;
    std::string name = "one-more";
    while (compact(spec.normal).find(compact(Json(name))) != std::string::npos) name += "x";
    another["name"] = name;
    another.erase("color");
    more.normal["switches"].push_back(std::move(another));
    found.push_back(std::move(more));
  }
  return found;
}

/// What a purchase gives; null when the spec with it has no wanted pair. Throws BadInput if it is no valid spec.
Json try_purchase(const Purchase& purchase, const Cabling& cabling, std::uint64_t seed, const Budget& budget) {
  const Spec spec = read_spec(purchase.normal);
  const Limits limits(spec, Grouping::kBySpeed);
  Cabling start = cabling;
  for (auto& cables : start) {
    for (Cable& cable : cables) cable.port_mbps = 0;
  }
  Wiring wiring = placed_on_ports(start, limits);
  Random random(seed);
  wiring.fill(random);
  const Demand demand(spec);
  const Movable movable(limits, nics_of(pins_of(spec), limits));
  const SpeedOutcome outcome = search_speeds(spec, wiring, movable, 1, seed, budget, [](auto, const auto&) {});
  const Json quality = quality_of(spec, cables_of(outcome.wiring), demand, std::nullopt);
  if (!quality.contains("worst_gbps")) return nullptr;
  return {{"change", purchase.change},
          {"worst_gbps", quality["worst_gbps"]},
          {"mean_gbps", quality["mean_gbps"]},
          {"below_nic", quality["below_nic"]}};
}

/// Less is better.
auto rank_of(const Json& measures) {
  return std::tuple(-measures["worst_gbps"].get<double>(), measures["below_nic"].get<long>(),
                    -measures["mean_gbps"].get<double>());
}

}  // namespace

Json speed_upgrades(const Spec& spec, const Cabling& cabling, std::uint64_t seed, const Budget& budget) {
  Json upgrades = Json::array();
  if (goals_of(spec).any() || spec.nodes.size() > kMostUpgradedNodes) return upgrades;
  const Json quality = quality_of(spec, cabling, Demand(spec), std::nullopt);
  if (quality["uncovered"] != 0 || !quality.contains("worst_gbps") || quality["below_nic"] == 0) return upgrades;
  std::size_t tried = 0;
  for (const Purchase& purchase : purchases(spec)) {
    if (tried++ == kMostTried) break;
    try {
      Json measures = try_purchase(purchase, cabling, seed, budget);
      if (!measures.is_null() && rank_of(measures) < rank_of(quality)) upgrades.push_back(std::move(measures));
    } catch (const BadInput&) {  // nothing is sold with such ports
    }
  }
  std::stable_sort(upgrades.begin(), upgrades.end(), [](const Json& a, const Json& b) { return rank_of(a) < rank_of(b); });
  while (upgrades.size() > kMostUpgrades) upgrades.erase(upgrades.size() - 1);
  return upgrades;
}

}  // namespace fnn
