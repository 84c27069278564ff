// SPDX-License-Identifier: GPL-3.0-or-later
//
// Speed goals
// -----------
// Where links differ in speed and a spec has no goals, its designs are ranked in this order:
//
//   1. coverage
//   2. the bandwidth of the worst wanted pair
//   3. the number of NICs with a link slower than they are, used or not
//   4. the mean bandwidth of the pairs that communicate, by their weights
//
// The search starts from a design that covers every pair. It first climbs: it requires a little more bandwidth than the
// worst pair has, in place of mere coverage, until a proof or a fruitless search ends that. With the bandwidth reached
// as requirement it then searches for the two other goals, which one integer ranks (objective.cc), in rounds that start
// from the best wiring or afresh, because tight designs differ widely and have few neighbors, until rounds bring nothing.
//
// The proof looks at each node's links alone, and then relaxes the requirement to a coverage problem. A pair with
// bandwidth t shares at least t / (fastest link) switches. If that is one, and slower links cannot add up to t, only NICs
// and ports of at least t count. The bounds and the exact search over types then decide as for any other spec.
#include "program/speed_search.h"

#include <algorithm>
#include <limits>
#include <map>

#include "base/stopping.h"
#include "design/link_speeds.h"
#include "oracle/verdict.h"
#include "spec/spec.h"

namespace fnn {
namespace {

constexpr std::int64_t kClimbGenerations = 6;
constexpr std::int64_t kMeanGenerations = 2;
constexpr std::int64_t kFreshGenerations = 3;
constexpr int kFreshEvery = 3;  // rounds
constexpr std::int64_t kStepsPerNic = 1000;  // of a child
constexpr std::int64_t kMostSteps = 100000;
constexpr int kMostRounds = 8;  // without improvement, after which the search ends
constexpr int kNicRounds = 500;  // fewer where their product with the number of NICs exceeds this
constexpr double kNeverLong = 1e9;  // efforts
constexpr long long kProofEffort = 10000000;

/// Drops the NICs and ports that are slower than a link must be.
Spec without_slow(Spec spec, int mbps) {
  for (Node& node : spec.nodes) {
    Node fast = node;
    fast.nic_media.clear();
    fast.nic_mbps.clear();
    for (std::size_t nic = 0; nic < node.nic_mbps.size(); ++nic) {
      if (node.nic_mbps[nic] < mbps) continue;
      fast.nic_media.push_back(node.nic_media[nic]);
      fast.nic_mbps.push_back(node.nic_mbps[nic]);
    }
    node = std::move(fast);
  }
  for (Switch& device : spec.switches) {
    const int before = device.all_ports();
    std::erase_if(device.ports, [&](const PortGroup& group) { return group.mbps < mbps; });
    device.reserved = std::max(0, device.reserved - (before - device.all_ports()));
  }
  std::erase_if(spec.switches, [](const Switch& device) { return device.usable_ports() == 0; });
  return spec;
}

/// Whether a node with wanted pairs has less than that bandwidth in all.
bool has_slower_node(const Spec& spec, const Demand& demand, long long mbps) {
  std::map<std::string, int> fastest;
  for (const Switch& device : spec.switches) {
    for (const PortGroup& group : device.ports) fastest[group.media] = std::max(fastest[group.media], group.mbps);
  }
  for (std::size_t node = 0; node < spec.nodes.size(); ++node) {
    long long sum = 0;
    for (std::size_t nic = 0; nic < spec.nodes[node].nic_mbps.size(); ++nic) {
      sum += std::min(spec.nodes[node].nic_mbps[nic], fastest[spec.nodes[node].nic_media[nic]]);
    }
    const Word* const peers = demand.wanted().row(node);
    const bool wanted = std::any_of(peers, peers + demand.wanted().words(), [](Word word) { return word != 0; });
    if (wanted && sum < mbps) return true;
  }
  return false;
}

/// Whether links slower than `mbps` may give two nodes that bandwidth together.
bool slow_links_add_up(const Spec& spec, int mbps) {
  const int slow = LinkSpeeds(spec).slower_than(mbps);
  int nodes = 0;
  for (const Node& node : spec.nodes) {
    long long sum = 0;
    for (const int nic : node.nic_mbps) sum += std::min(nic, slow);
    nodes += sum >= mbps ? 1 : 0;
  }
  return nodes > 1;
}

class SpeedSearch {
 public:
  SpeedSearch(const Spec& spec, const Wiring& start, const Movable& movable, int idle_rounds, std::uint64_t seed,
              const Budget& budget, const Report& report)
      : spec_(spec),
        movable_(movable),
        idle_rounds_(idle_rounds),
        seed_(seed),
        budget_(budget),
        report_(report),
        best_(start) {
    budget_.checkpoint = nullptr;
    budget_.processes = nullptr;  // every process repeats the same search
  }

  SpeedOutcome run() {
    climb();
    const Objective objective = objective_for({worst_, true});
    GeneticSettings settings;
    settings.goal_generations = kForever;
    settings.goal_effort = std::min(kMostSteps, kStepsPerNic * static_cast<std::int64_t>(best_.limits().nics.size()));
    std::int64_t cost = objective.cost(best_);
    for (int round = 0, idle = 0; idle < idle_rounds_ && has_time(); ++round, ++idle) {
      const bool afresh = round % kFreshEvery == kFreshEvery - 1;
      const Individual found = afresh ? search(objective, settings, kFreshGenerations, fixed_cables())
                                      : search(objective, settings, kMeanGenerations, best_);
      if (found.deficit > 0 || found.cost >= cost) continue;
      best_ = found.wiring;
      cost = found.cost;
      idle = -1;
    }
    return {best_, proved_};
  }

 private:
  void climb() {
    worst_ = objective_for({}).worst_bandwidth(best_);
    while (has_time() && worst_ < std::numeric_limits<int>::max()) {
      proved_ = is_bandwidth_impossible(spec_, worst_ + 1);
      if (proved_) return;
      GeneticSettings settings;
      settings.long_effort = kNeverLong;
      const Individual found = search(objective_for({worst_ + 1, false}), settings, kClimbGenerations, best_);
      if (found.deficit > 0) return;
      best_ = found.wiring;
      worst_ = objective_for({}).worst_bandwidth(best_);
    }
  }

  Objective objective_for(const SpeedGoals& goals) const { return {spec_, best_.limits(), goals}; }

  Individual search(const Objective& objective, const GeneticSettings& settings, std::int64_t generations,
                    const Wiring& start) {
    Budget budget = budget_;
    budget.generations = generations;
    const auto report = [&](std::int64_t now, const Individual& best) { report_(generations_ + now, best); };
    Outcome outcome = search_islands(best_.limits(), movable_, objective, {start}, settings, seed_++, budget, report);
    generations_ += outcome.generations;
    return outcome.best;
  }

  Wiring fixed_cables() const {
    Wiring wiring(best_.limits());
    for (int nic = 0; nic < static_cast<int>(best_.limits().nics.size()); ++nic) {
      if (!movable_.has(nic) && best_.group(nic) != kDummy) wiring.plug(nic, best_.group(nic));
    }
    return wiring;
  }

  bool has_time() const { return !stop_requested(budget_.deadline); }

  const Spec& spec_;
  const Movable& movable_;
  int idle_rounds_;
  std::uint64_t seed_;
  Budget budget_;
  const Report& report_;
  Wiring best_;
  int worst_ = 0;
  bool proved_ = false;
  std::int64_t generations_ = 0;
};

}  // namespace

bool is_bandwidth_impossible(const Spec& spec, int bandwidth) {
  const LinkSpeeds speeds(spec);
  const long long mbps = static_cast<long long>(bandwidth) * speeds.unit();
  const Demand demand(spec);
  if (has_slower_node(spec, demand, mbps)) return true;
  const int links = static_cast<int>((mbps + speeds.fastest() - 1) / speeds.fastest());
  Spec relaxed = spec;
  relaxed.normal = Json();  // unused, and expensive to copy
  const int needed = std::max(links, demand.redundancy());
  const bool fast_only = links == 1 && !slow_links_add_up(spec, static_cast<int>(mbps));
  if (fast_only) relaxed = without_slow(relaxed, static_cast<int>(mbps));
  const bool stripped = std::any_of(relaxed.nodes.begin(), relaxed.nodes.end(),
                                    [](const Node& node) { return node.nic_media.empty(); });
  if (stripped) return demand.is_universal();
  if (relaxed.switches.empty()) return true;
  return assess(relaxed, demand.with_redundancy(needed), kProofEffort).prospect == Prospect::kImpossible;
}

SpeedOutcome search_speeds(const Spec& spec, const Wiring& start, const Movable& movable, int idle_rounds,
                           std::uint64_t seed, const Budget& budget, const Report& report) {
  return SpeedSearch(spec, start, movable, idle_rounds, seed, budget, report).run();
}

int thorough_rounds(const Limits& limits) {
  return std::clamp(kNicRounds / static_cast<int>(limits.nics.size()), kFreshEvery, kMostRounds);
}

}  // namespace fnn
