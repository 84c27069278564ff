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
struct Job {
  size_t from;
  size_t to;
  std::vector<SharedLeg> over;
};

class Dealer {
 public:
  Dealer(const Legs& legs, const PeerLimits& limits, Random& random)
      : legs_(legs), random_(random), choice_(legs.size()), out_(legs, limits), in_(legs, limits) {}

  Choice deal() {
    deal_pairs();
    improve(true);
    if (out_.any_over_ceiling()) {
      part();
      improve(false);
      join();
    }
    return std::move(choice_);
  }

 private:
  /// Assigns pairs without a choice first, then the others by ascending number of switches, with random ties.
  void deal_pairs() {
    for (size_t a = 0; a < legs_.size(); ++a) {
      for (size_t b = a + 1; b < legs_.size(); ++b) {
        Job job{a, b, shared_legs(legs_[a], legs_[b])};
        if (job.over.size() == 1) take(job, job.over.front(), true);
        if (job.over.size() > 1) jobs_.push_back(std::move(job));
      }
    }
    random_.shuffle(jobs_);
    std::stable_sort(jobs_.begin(), jobs_.end(), [](const Job& a, const Job& b) { return a.over.size() < b.over.size(); });
    for (const Job& job : jobs_) take(job, cheapest(job, true), true);
  }

  /// Routes both directions over one switch, or only the direction from `from`.
  void take(const Job& job, const SharedLeg& leg, bool both) {
    choice_.set(job.from, job.to, leg.mine);
    out_.add(job.from, leg.mine);
    in_.add(job.to, leg.theirs);
    if (!both) return;
    choice_.set(job.to, job.from, leg.theirs);
    out_.add(job.to, leg.theirs);
    in_.add(job.from, leg.mine);
  }

  void leave(const Job& job, const SharedLeg& leg, bool both) {
    out_.drop(job.from, leg.mine);
    in_.drop(job.to, leg.theirs);
    if (!both) return;
    out_.drop(job.to, leg.theirs);
    in_.drop(job.from, leg.mine);
  }

  /// With both directions over one switch, send and receive loads are equal, so one of them suffices.
  double price(const Job& job, const SharedLeg& leg, bool both) const {
    const Loads& theirs = both ? out_ : in_;
    return out_.price_of_one_more(job.from, leg.mine) + theirs.price_of_one_more(job.to, leg.theirs);
  }

  SharedLeg cheapest(const Job& job, bool both) {
    SharedLeg best = job.over.front();
    double least = price(job, best, both);
    size_t alike = 1;
    for (size_t i = 1; i < job.over.size(); ++i) {
      const double here = price(job, job.over[i], both);
      if (here > least) continue;
      alike = here < least ? 1 : alike + 1;
      if (random_.one_in(alike)) best = job.over[i];
      least = here;
    }
    return best;
  }

  SharedLeg current(const Job& job) const {
    const size_t mine = choice_.leg(job.from, job.to);
    return *std::find_if(job.over.begin(), job.over.end(), [&](const SharedLeg& leg) { return leg.mine == mine; });
  }

  /// Local search: reassigns each job to its cheapest switch, until all NICs keep their limits.
  void improve(bool both) {
    for (int pass = 0; pass < kPasses && (out_.any_over_own() || in_.any_over_own()); ++pass) {
      random_.shuffle(jobs_);
      for (const Job& job : jobs_) {
        leave(job, current(job), both);
        take(job, cheapest(job, both), both);
      }
    }
  }

  /// Splits each pair into its two directions.
  void part() {
    const size_t pairs = jobs_.size();
    for (size_t i = 0; i < pairs; ++i) {
      Job back{jobs_[i].to, jobs_[i].from, {}};
      for (const SharedLeg& leg : jobs_[i].over) back.over.push_back({leg.theirs, leg.mine});
      jobs_.push_back(std::move(back));
    }
  }

  /// Rejoins directions where limits allow: asymmetric paths are harder to follow, for people and for firewalls.
  void join() {
    for (const Job& job : jobs_) {
      const SharedLeg there = current(job);
      if (choice_.leg(job.to, job.from) == there.theirs) continue;
      if (out_.is_full(job.to, there.theirs) || in_.is_full(job.from, there.mine)) continue;
      const Job back{job.to, job.from, {}};
      const size_t old = choice_.leg(job.to, job.from);
      const auto other = std::find_if(job.over.begin(), job.over.end(), [&](const SharedLeg& leg) { return leg.theirs == old; });
      leave(back, {old, other->mine}, false);
      take(back, {there.theirs, there.mine}, false);
    }
  }

  const Legs& legs_;
  Random& random_;
  Choice choice_;
  Loads out_;  ///< peers that a NIC sends to
  Loads in_;   ///< peers that it receives from
  std::vector<Job> jobs_;
};

}  // namespace

Choice choose_legs(const Legs& legs, const PeerLimits& limits, Random& random) {
  return Dealer(legs, limits, random).deal();
}

}  // namespace fnn
