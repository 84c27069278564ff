// SPDX-License-Identifier: GPL-3.0-or-later
#include "design/quality.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "base/units.h"
#include "design/cable_lengths.h"
#include "design/link_speeds.h"
#include "design/prices.h"
#include "design/shared_switches.h"
#include "spec/goals.h"

namespace fnn {
namespace {

using std::size_t;

constexpr double kDecimals = 1e6;  // documents have six decimals, for readability

double round_decimals(double number) { return std::round(number * kDecimals) / kDecimals + 0.0; }

/// A link, and its share of the traffic of its node's pairs.
struct LoadedLink {
  int device;
  int mbps;
  double load = 0;
};

/// The links of a node, in the order of the switches.
using LoadedLinks = std::vector<LoadedLink>;

std::vector<LoadedLinks> unloaded(const Spec& spec, const Cabling& cabling, const LinkSpeeds& speeds) {
  std::vector<LoadedLinks> links(cabling.size());
  for (size_t node = 0; node < cabling.size(); ++node) {
    for (const Cable& cable : cabling[node]) {
      const int mbps = speeds.mbps(spec.nodes[node], cable.nic, cable.device, cable.port_mbps);
      links[node].push_back({cable.device, mbps});
    }
    std::sort(links[node].begin(), links[node].end(),
              [](const LoadedLink& a, const LoadedLink& b) { return a.device < b.device; });
  }
  return links;
}

/// The service that communicating pairs receive. Sums are over pairs times their weights.
struct Service {
  double weight = 0;
  double pairs = 0;
  double shared = 0;
  double gbps = 0;
  double worth = 0;  ///< x^(7/8) of the bandwidth x
  bool named_pairs = false;  ///< whether the spec names communicating pairs
};

/// Adds up the service of pairs, and their traffic to the loads of the links. A cluster of 8192 nodes has 33 million
/// pairs, so the work for each pair is one look-up per link of its second node.
class Traffic {
 public:
  Traffic(std::vector<LoadedLinks>& links, size_t switches, int unit_mbps)
      : links_(links), on_switch_(switches, nullptr), unit_mbps_(unit_mbps) {}

  /// Adds a pair. Pairs with the same first node should be adjacent.
  void add(size_t from, size_t to, double amount) {
    if (from != from_) begin(from);
    common_.clear();
    long long mbps = 0;
    for (LoadedLink& link : links_[to]) {
      LoadedLink* const same = on_switch_[Limits::at(link.device)];
      if (same == nullptr) continue;
      common_.emplace_back(same, &link);
      mbps += std::min(same->mbps, link.mbps);
    }
    service.weight += amount;
    service.pairs += 1;
    if (common_.empty()) return;
    const auto common = static_cast<double>(common_.size());
    service.shared += amount * common;
    service.gbps += amount * static_cast<double>(mbps) / kMbpsPerGbps;
    service.worth += amount * worth_of(mbps);
    const double part = amount / common;
    for (const auto& [one, other] : common_) {
      one->load += part;
      other->load += part;
    }
  }

  Service service;

 private:
  void begin(size_t from) {
    std::fill(on_switch_.begin(), on_switch_.end(), nullptr);
    for (LoadedLink& link : links_[from]) on_switch_[Limits::at(link.device)] = &link;
    from_ = from;
  }

  /// Most pairs have the bandwidth of the pair before them.
  double worth_of(long long mbps) {
    if (mbps != last_mbps_) last_worth_ = bandwidth_value(static_cast<double>(mbps) / unit_mbps_);
    last_mbps_ = mbps;
    return last_worth_;
  }

  std::vector<LoadedLinks>& links_;
  std::vector<LoadedLink*> on_switch_;  ///< of the first node, by switch; null where it has none
  int unit_mbps_;
  size_t from_ = std::numeric_limits<size_t>::max();
  std::vector<std::pair<LoadedLink*, LoadedLink*>> common_;
  long long last_mbps_ = -1;
  double last_worth_ = 0;
};

/// Adds the traffic to the loads of the links.
Service traffic_over(std::vector<LoadedLinks>& links, const Spec& spec, int unit_mbps) {
  Traffic traffic(links, spec.switches.size(), unit_mbps);
  const std::vector<WeightedPair> communicating = valued_pairs_of(spec);
  for (const WeightedPair& pair : communicating) traffic.add(Limits::at(pair.a), Limits::at(pair.b), pair.weight);
  traffic.service.named_pairs = !communicating.empty();
  for (size_t a = 0; communicating.empty() && a < links.size(); ++a) {
    for (size_t b = a + 1; b < links.size(); ++b) traffic.add(a, b, 1.0);
  }
  return traffic.service;
}

/// Loads of NICs relative to the mean load: the maximum, and the sum of squares.
struct Loads {
  double peak = 0;
  double squares = 0;
};

Loads loads_of(const std::vector<LoadedLinks>& links, double mean) {
  Loads loads;
  for (const LoadedLinks& of_node : links) {
    for (const LoadedLink& link : of_node) {
      const double load = link.load / mean;
      loads.peak = std::max(loads.peak, load);
      loads.squares += load * load;
    }
  }
  return loads;
}

/// The sharing of pairs that must share switches.
struct Wanted {
  long long pairs = 0;
  long long shared = 0;
  long long exposed = 0;
  long long uncovered = 0;
  int least = std::numeric_limits<int>::max();
  std::vector<long long> pairs_sharing;  ///< of all pairs, wanted or not, by the number of shared switches
};

Wanted wanted_over(const Cabling& cabling, const Spec& spec, const Demand& demand) {
  Wanted wanted;
  wanted.pairs_sharing.resize(spec.switches.size() + 1, 0);
  SharedSwitches(cabling, spec.switches.size()).for_each_pair([&](size_t a, size_t b, int shared) {
    ++wanted.pairs_sharing[Limits::at(shared)];
    if (!demand.wants(a, b)) return;
    ++wanted.pairs;
    wanted.shared += shared;
    wanted.exposed += shared == demand.redundancy() ? 1 : 0;
    wanted.uncovered += shared < demand.redundancy() ? 1 : 0;
    wanted.least = std::min(wanted.least, shared);
  });
  return wanted;
}

/// The least bandwidth of a wanted pair, in Mb/s.
long long worst_mbps(const std::vector<LoadedLinks>& links, const Spec& spec, const Demand& demand) {
  long long worst = std::numeric_limits<long long>::max();
  std::vector<int> mine(spec.switches.size());
  for (size_t a = 0; a < links.size(); ++a) {
    std::fill(mine.begin(), mine.end(), 0);
    for (const LoadedLink& link : links[a]) mine[Limits::at(link.device)] = link.mbps;
    for (size_t b = a + 1; b < links.size(); ++b) {
      if (!demand.wants(a, b)) continue;
      long long sum = 0;
      for (const LoadedLink& link : links[b]) sum += std::min(mine[Limits::at(link.device)], link.mbps);
      worst = std::min(worst, sum);
    }
  }
  return worst;
}

/// The cables that are slower than their NICs.
int count_below(const Spec& spec, const Cabling& cabling, const LinkSpeeds& speeds) {
  int below = 0;
  for (size_t node = 0; node < cabling.size(); ++node) {
    for (const Cable& cable : cabling[node]) {
      const int mbps = speeds.mbps(spec.nodes[node], cable.nic, cable.device, cable.port_mbps);
      below += mbps < spec.nodes[node].nic_mbps[Limits::at(cable.nic)] ? 1 : 0;
    }
  }
  return below;
}

double length_of(const Spec& spec, const Cabling& cabling) {
  const CableLengths lengths(spec);
  double sum = 0;
  for (size_t node = 0; node < cabling.size(); ++node) {
    for (const Cable& cable : cabling[node]) sum += lengths.meters(node, Limits::at(cable.device));
  }
  return sum;
}

std::vector<int> links_per_switch(const Spec& spec, const Cabling& cabling) {
  std::vector<int> links(spec.switches.size(), 0);
  for (const auto& cables : cabling) {
    for (const Cable& cable : cables) ++links[Limits::at(cable.device)];
  }
  return links;
}

/// The term of the goal `price`: every switch in use, relative to the mean price.
double prices_in_use(const Spec& spec, const std::vector<int>& links) {
  double all = 0;
  for (const Switch& device : spec.switches) all += device.price.value_or(1.0);
  const double mean = all > 0 ? all / static_cast<double>(spec.switches.size()) : 1.0;
  double sum = 0;
  for (size_t j = 0; j < links.size(); ++j) {
    if (links[j] == 0) continue;
    const double fill = static_cast<double>(links[j]) / spec.switches[j].usable_ports();
    sum += spec.switches[j].price.value_or(1.0) / mean * (0.5 + 0.5 * std::sqrt(fill));
  }
  return sum;
}

/// Measures a cabling once and reports the results.
class Quality {
 public:
  Quality(const Spec& spec, const Cabling& cabling, const Demand& demand, const std::optional<Moves>& moves)
      : spec_(spec),
        cabling_(cabling),
        demand_(demand),
        moves_(moves),
        speeds_(spec),
        links_(links_per_switch(spec, cabling)),
        meters_(length_of(spec, cabling)),
        wanted_(wanted_over(cabling, spec, demand)) {
    std::vector<LoadedLinks> links = unloaded(spec, cabling, speeds_);
    traffic_ = traffic_over(links, spec, speeds_.slowest());
    for (const Node& node : spec.nodes) nics_ += node.nic_media.size();
    if (speeds_.differ() && wanted_.pairs > 0) worst_mbps_ = worst_mbps(links, spec, demand);
    loads_ = loads_of(links, 2 * traffic_.weight / static_cast<double>(nics_));
  }

  Json to_json() const {
    Json quality = counts();
    if (wanted_.pairs > 0) {
      quality["min_shared"] = wanted_.least;
      quality["mean_shared"] = round_decimals(static_cast<double>(wanted_.shared) / static_cast<double>(wanted_.pairs));
    }
    quality["exposed"] = wanted_.exposed;
    quality["peak_load"] = round_decimals(loads_.peak);
    if (traffic_.named_pairs) quality["mean_shared_by_traffic"] = round_decimals(traffic_.shared / traffic_.weight);
    if (speeds_.differ()) {
      quality["mean_gbps"] = round_decimals(traffic_.gbps / traffic_.weight);
      if (wanted_.pairs > 0) quality["worst_gbps"] = round_decimals(static_cast<double>(worst_mbps_) / kMbpsPerGbps);
      quality["below_nic"] = count_below(spec_, cabling_, speeds_);
    }
    if (!spec_.racks.empty()) quality["cable_length_m"] = round_decimals(meters_);
    if (const Prices prices(spec_); prices.any()) quality["price"] = round_decimals(prices.of_wiring(links_, meters_));
    if (moves_) {
      quality["kept_links"] = moves_->kept;
      quality["moved_links"] = moves_->moved;
    }
    if (const Goals goals = goals_of(spec_); goals.any()) quality["score"] = round_decimals(score(goals));
    return quality;
  }

 private:
  Json counts() const {
    const auto links = static_cast<size_t>(count_cables(cabling_));
    size_t ports = 0;
    for (const Switch& device : spec_.switches) ports += Limits::at(device.usable_ports());
    Json shared = Json::object();
    for (size_t switches = 1; switches < wanted_.pairs_sharing.size(); ++switches) {
      if (const long long pairs = wanted_.pairs_sharing[switches]; pairs > 0) shared[std::to_string(switches)] = pairs;
    }
    Json counts = {{"pairs", spec_.nodes.size() * (spec_.nodes.size() - 1) / 2},
                   {"uncovered", wanted_.uncovered},
                   {"shared", shared},
                   {"links", links},
                   {"unused_nics", nics_ - links},
                   {"unused_ports", ports - links}};
    if (!demand_.is_universal()) counts["wanted"] = demand_.pairs();
    return counts;
  }

  /// The objective that the search minimizes, without its rounding.
  double score(const Goals& goals) const {
    const double mean_weight = traffic_.weight / traffic_.pairs;
    const double kept = moves_ ? moves_->kept : 0;
    return goals.balance * loads_.squares + goals.exposure * static_cast<double>(wanted_.exposed) +
           goals.cable_length * meters_ + goals.price * prices_in_use(spec_, links_) -
           goals.shared_switches * traffic_.worth / mean_weight - goals.moved_cables * kept;
  }

  const Spec& spec_;
  const Cabling& cabling_;
  const Demand& demand_;
  const std::optional<Moves>& moves_;
  LinkSpeeds speeds_;
  std::vector<int> links_;  ///< per switch
  double meters_;
  Wanted wanted_;
  Service traffic_;
  Loads loads_;
  long long worst_mbps_ = 0;
  size_t nics_ = 0;
};

}  // namespace

Json quality_of(const Spec& spec, const Cabling& cabling, const Demand& demand, const std::optional<Moves>& moves) {
  return Quality(spec, cabling, demand, moves).to_json();
}

}  // namespace fnn
