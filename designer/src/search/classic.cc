// SPDX-License-Identifier: GPL-3.0-or-later
//
// The genetic algorithm as Dietz and Mattox describe it
// -----------------------------------------------------
// "KLAT2's Flat Neighborhood Network" (2000), section 2: an evaluation function that marks problem spots, crossover
// by exchange of closed sets of connections, several mutations, and two phases. A big problem is first made smaller;
// some generations after the small one is solved the population is scaled back, and the search goes on at full size.
//
// The smaller problem here has half of the nodes and half of the ports of every switch. Scaled back, each node gets a
// twin on the same switches: 32 nodes on 15-port switches become 64 on 30-port ones, and all pairs stay covered.
// Where halving is impossible (patterns, an odd number of nodes, nodes that differ) the search starts at full size.
//
// The extensions of our algorithm are left out on purpose: no local search (genetic.cc), no algebra, no exact search.
// It serves as a baseline (`fnn-designer design --method ga-classic`, make bench). The paper does not give the size
// of the population or the rates; those below did best on KLAT2's own instance.
#include "search/classic.h"

#include <algorithm>

#include "base/stopping.h"
#include "design/evaluation.h"
#include "search/crossover.h"

namespace fnn {
namespace {

constexpr std::size_t kPopulation = 100;
constexpr std::size_t kElite = 20;  // survive unchanged (elitism)
constexpr std::size_t kMostMutations = 4;
constexpr int kFewestNodes = 8;  // smaller problems are not halved

struct Candidate {
  Wiring wiring;
  Evaluation evaluation;

  bool better_than(const Candidate& other) const { return evaluation.deficit < other.evaluation.deficit; }
};

/// Exchanges the ports of two NICs, one of which may be unused, if the limits allow it.
void exchange(Wiring& wiring, int nic, int other) {
  const int from = wiring.group(nic);
  const int to = wiring.group(other);
  if (from == to) return;
  if (from != kDummy) wiring.unplug(nic);
  if (to != kDummy) wiring.unplug(other);
  if (to != kDummy && !wiring.can_plug(nic, to)) {
    wiring.plug(other, to);
    if (from != kDummy) wiring.plug(nic, from);
    return;
  }
  if (to != kDummy) wiring.plug(nic, to);
  if (from != kDummy && wiring.can_plug(other, from)) {
    wiring.plug(other, from);
  } else if (from != kDummy) {
    if (to != kDummy) wiring.unplug(nic);
    if (to != kDummy) wiring.plug(other, to);
    wiring.plug(nic, from);
  }
}

int nic_of(const Limits& limits, int node, Random& random) {
  return limits.first_nic[Limits::at(node)] + static_cast<int>(random.below(Limits::at(limits.nic_count(node))));
}

/// Moves one node of a problem spot to a switch of the other, in exchange with a node on that switch.
void repair_spot(Candidate& child, Random& random) {
  const Limits& limits = child.wiring.limits();
  const auto& [a, b] = child.evaluation.uncovered[random.below(child.evaluation.uncovered.size())];
  const int group = child.wiring.group(nic_of(limits, b, random));
  if (group == kDummy) return;
  const std::vector<int>& there = child.wiring.nics_on(group);
  exchange(child.wiring, nic_of(limits, a, random), there[random.below(there.size())]);
}

void mutate(Candidate& child, Random& random) {
  const std::size_t nics = child.wiring.limits().nics.size();
  for (std::size_t left = 1 + random.below(kMostMutations); left > 0; --left) {
    if (!child.evaluation.uncovered.empty() && random.one_in(2)) {
      repair_spot(child, random);
    } else {
      exchange(child.wiring, static_cast<int>(random.below(nics)), static_cast<int>(random.below(nics)));
    }
  }
  child.wiring.fill(random);
}

class Population {
 public:
  Population(const Limits& limits, const Demand& demand, Random& random) : demand_(demand), random_(random) {
    while (members_.size() < kPopulation) {
      Wiring wiring(limits);
      wiring.fill(random_);
      add(std::move(wiring));
    }
  }

  Population(std::vector<Wiring> wirings, const Demand& demand, Random& random) : demand_(demand), random_(random) {
    for (Wiring& wiring : wirings) add(std::move(wiring));
  }

  void advance() {
    std::stable_sort(members_.begin(), members_.end(),
                     [](const Candidate& a, const Candidate& b) { return a.better_than(b); });
    std::vector<Candidate> next(members_.begin(), members_.begin() + kElite);
    while (next.size() < kPopulation) next.push_back(breed());
    members_ = std::move(next);
  }

  const Candidate& best() const {
    return *std::min_element(members_.begin(), members_.end(),
                             [](const Candidate& a, const Candidate& b) { return a.better_than(b); });
  }
  const std::vector<Candidate>& members() const { return members_; }

 private:
  void add(Wiring wiring) {
    Evaluation evaluation = evaluate(wiring, demand_);
    members_.push_back({std::move(wiring), std::move(evaluation)});
  }

  /// Binary tournament selection.
  const Candidate& pick_parent() {
    const Candidate& one = members_[random_.below(members_.size())];
    const Candidate& other = members_[random_.below(members_.size())];
    return other.better_than(one) ? other : one;
  }

  Candidate breed() {
    const Candidate& mother = pick_parent();
    const Candidate& father = pick_parent();
    Wiring wiring = cross(mother.wiring, father.wiring, random_);
    Evaluation evaluation = evaluate(wiring, demand_);
    Candidate child{std::move(wiring), std::move(evaluation)};
    mutate(child, random_);
    child.evaluation = evaluate(child.wiring, demand_);
    return child;
  }

  const Demand& demand_;
  Random& random_;
  std::vector<Candidate> members_;
};

bool can_be_halved(const Spec& spec, const Demand& demand) {
  const auto alike = [&](const Node& node) { return node.nic_media == spec.nodes.front().nic_media; };
  return demand.is_universal() && spec.nodes.size() % 2 == 0 && spec.nodes.size() >= 2 * kFewestNodes &&
         std::all_of(spec.nodes.begin(), spec.nodes.end(), alike);
}

Spec halved(const Spec& spec) {
  Spec half = spec;
  half.nodes.clear();
  for (std::size_t i = 0; i < spec.nodes.size(); i += 2) half.nodes.push_back(spec.nodes[i]);
  for (Switch& device : half.switches) device.reserved = device.all_ports() - device.usable_ports() / 2;
  return half;
}

/// A wiring with every node of the small wiring and its twin on the same switches.
Wiring scaled_back(const Wiring& small, const Limits& limits, Random& random) {
  Wiring wiring(limits);
  for (int node = 0; node < limits.node_count(); ++node) {
    for (int k = 0; k < limits.nic_count(node); ++k) {
      const int group = small.group(small.limits().first_nic[Limits::at(node / 2)] + k);
      const int nic = limits.first_nic[Limits::at(node)] + k;
      if (group != kDummy && wiring.can_plug(nic, group)) wiring.plug(nic, group);
    }
  }
  wiring.fill(random);
  return wiring;
}

class Classic {
 public:
  Classic(Random& random, const Budget& budget, const Report& report)
      : random_(random), budget_(budget), report_(report), began_(std::chrono::steady_clock::now()) {}

  Outcome search(const Spec& spec, const Limits& limits, const Demand& demand) {
    Population population = first_population(spec, limits, demand);
    run(population, budget_.deadline);
    const Candidate& best = population.best();
    const int uncovered = static_cast<int>(best.evaluation.uncovered.size());
    return {{best.wiring, uncovered, best.evaluation.deficit, 0}, uncovered == 0, generations_};
  }

 private:
  /// The first population, from the smaller problem if possible, which gets at most half of the time.
  Population first_population(const Spec& spec, const Limits& limits, const Demand& demand) {
    if (!can_be_halved(spec, demand)) return {limits, demand, random_};
    const Spec half = halved(spec);
    const Limits small_limits(half);
    const Demand small_demand = Demand::universal(half.nodes.size(), demand.redundancy());
    Population small(small_limits, small_demand, random_);
    run(small, began_ + (budget_.deadline - began_) / 2);
    std::vector<Wiring> wirings;
    for (const Candidate& one : small.members()) wirings.push_back(scaled_back(one.wiring, limits, random_));
    return {std::move(wirings), demand, random_};
  }

  void run(Population& population, std::chrono::steady_clock::time_point deadline) {
    while (population.best().evaluation.deficit > 0 && std::chrono::steady_clock::now() < deadline &&
           !stop_requested() && !(budget_.generations && generations_ >= *budget_.generations)) {
      population.advance();
      const Candidate& best = population.best();
      report_(++generations_,
              {best.wiring, static_cast<int>(best.evaluation.uncovered.size()), best.evaluation.deficit, 0});
    }
  }

  Random& random_;
  const Budget& budget_;
  const Report& report_;
  std::chrono::steady_clock::time_point began_;
  std::int64_t generations_ = 0;
};

}  // namespace

Outcome search_classic(const Spec& spec, const Limits& limits, const Demand& demand, Random& random,
                       const Budget& budget, const Report& report) {
  return Classic(random, budget, report).search(spec, limits, demand);
}

}  // namespace fnn
