// SPDX-License-Identifier: GPL-3.0-or-later
#include "routing/choice.h"

#include <algorithm>
#include <utility>

#include "routing/loads.h"

namespace fnn {
namespace {

using std::size_t;

// The bounds of nodes may contradict each other, so passes are limited.
constexpr int kPasses = 60;

/// One routing decision: the switch of a pair, or of one direction of it.
struct RouteTask {
  size_t from;
  size_t to;
  std::vector<SharedLeg> over;
};

class RouteChooser {
 public:
  RouteChooser(const Legs& legs, const PeerLimits& limits, Random& random)
      : legs_(legs), random_(random), choice_(legs.size()), out_(legs, limits), in_(legs, limits) {}

  Choice choose() {
    assign_pairs();
    improve(true);
    if (out_.any_over_ceiling()) {
      split_directions();
      improve(false);
      rejoin_directions();
    }
    return std::move(choice_);
  }

 private:
  /// Assigns pairs without a choice first, then the others by ascending number of switches, with random ties.
  void assign_pairs() {
    for (size_t a = 0; a < legs_.size(); ++a) {
      for (size_t b = a + 1; b < legs_.size(); ++b) {
        RouteTask task{a, b, shared_legs(legs_[a], legs_[b])};
        if (task.over.size() == 1) assign(task, task.over.front(), true);
        if (task.over.size() > 1) tasks_.push_back(std::move(task));
      }
    }
    random_.shuffle(tasks_);
    std::stable_sort(tasks_.begin(), tasks_.end(),
                     [](const RouteTask& a, const RouteTask& b) { return a.over.size() < b.over.size(); });
    for (const RouteTask& task : tasks_) assign(task, cheapest(task, true), true);
  }

  /// Routes both directions over one switch, or only the direction from `from`.
  void assign(const RouteTask& task, const SharedLeg& leg, bool both) {
    choice_.set(task.from, task.to, leg.from_leg);
    out_.add(task.from, leg.from_leg);
    in_.add(task.to, leg.to_leg);
    if (!both) return;
    choice_.set(task.to, task.from, leg.to_leg);
    out_.add(task.to, leg.to_leg);
    in_.add(task.from, leg.from_leg);
  }

  void unassign(const RouteTask& task, const SharedLeg& leg, bool both) {
    out_.drop(task.from, leg.from_leg);
    in_.drop(task.to, leg.to_leg);
    if (!both) return;
    out_.drop(task.to, leg.to_leg);
    in_.drop(task.from, leg.from_leg);
  }

  /// With both directions over one switch, send and receive loads are equal, so one of them suffices.
  double price(const RouteTask& task, const SharedLeg& leg, bool both) const {
    const Loads& to_loads = both ? out_ : in_;
    return out_.price_of_one_more(task.from, leg.from_leg) + to_loads.price_of_one_more(task.to, leg.to_leg);
  }

  SharedLeg cheapest(const RouteTask& task, bool both) {
    SharedLeg best = task.over.front();
    double least = price(task, best, both);
    size_t alike = 1;
    for (size_t i = 1; i < task.over.size(); ++i) {
      const double here = price(task, task.over[i], both);
      if (here > least) continue;
      alike = here < least ? 1 : alike + 1;
      if (random_.one_in(alike)) best = task.over[i];
      least = here;
    }
    return best;
  }

  SharedLeg current(const RouteTask& task) const {
    const size_t from_leg = choice_.leg(task.from, task.to);
    return *std::find_if(task.over.begin(), task.over.end(),
                         [&](const SharedLeg& leg) { return leg.from_leg == from_leg; });
  }

  /// Local search: reassigns each job to its cheapest switch, until all NICs keep their limits.
  void improve(bool both) {
    for (int pass = 0; pass < kPasses && (out_.any_over_own() || in_.any_over_own()); ++pass) {
      random_.shuffle(tasks_);
      for (const RouteTask& task : tasks_) {
        unassign(task, current(task), both);
        assign(task, cheapest(task, both), both);
      }
    }
  }

  /// Splits each pair into its two directions.
  void split_directions() {
    const size_t pairs = tasks_.size();
    for (size_t i = 0; i < pairs; ++i) {
      RouteTask back{tasks_[i].to, tasks_[i].from, {}};
      for (const SharedLeg& leg : tasks_[i].over) back.over.push_back({leg.to_leg, leg.from_leg});
      tasks_.push_back(std::move(back));
    }
  }

  /// Rejoins directions where limits allow: asymmetric paths are harder to follow, for people and for firewalls.
  void rejoin_directions() {
    for (const RouteTask& task : tasks_) {
      const SharedLeg there = current(task);
      if (choice_.leg(task.to, task.from) == there.to_leg) continue;
      if (out_.is_full(task.to, there.to_leg) || in_.is_full(task.from, there.from_leg)) continue;
      const RouteTask back{task.to, task.from, {}};
      const size_t old = choice_.leg(task.to, task.from);
      const auto other = std::find_if(task.over.begin(), task.over.end(),
                                      [&](const SharedLeg& leg) { return leg.to_leg == old; });
      unassign(back, {old, other->from_leg}, false);
      assign(back, {there.to_leg, there.from_leg}, false);
    }
  }

  const Legs& legs_;
  Random& random_;
  Choice choice_;
  Loads out_;  ///< peers that a NIC sends to
  Loads in_;   ///< peers that it receives from
  std::vector<RouteTask> tasks_;
};

}  // namespace

Choice choose_legs(const Legs& legs, const PeerLimits& limits, Random& random) {
  return RouteChooser(legs, limits, random).choose();
}

}  // namespace fnn
