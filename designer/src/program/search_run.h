// SPDX-License-Identifier: GPL-3.0-or-later
// A run of the program's searches: the state that the stages of a design or a redesign share.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "design/pins.h"
#include "program/designing.h"
#include "spec/demand.h"

namespace fnn {

/// Makes the design of a wiring that a search found.
using Finish = std::function<Designed(const Wiring&)>;

/// The NICs of a cabling, to keep them fixed.
std::vector<bool> nics_of(const Cabling& cabling, const Limits& limits);

/// The limits, random generator and budget of one request. Its searches count as one: their generations
/// add up, and they share a deadline.
class SearchRun {
 public:
  SearchRun(const Spec& spec, const DesignRequest& request, const Report& report);

  const Spec& spec() const { return spec_; }
  const Limits& limits() const { return limits_; }
  const Demand& demand() const { return demand_; }
  Random& random() { return random_; }
  const Budget& budget() const { return budget_; }
  std::int64_t generations() const { return generations_; }
  bool has_time() const;

  /// The NICs that are not pinned.
  Movable movable() const;
  /// A wiring of the pinned cables only.
  Wiring pinned() const;
  /// The seeds of a search without a start design: the pinned cables, if there are any.
  std::vector<Wiring> seeds() const;
  const Cabling& pins() const { return pins_; }
  bool has_pins() const { return count_cables(pins_) > 0; }

  /// Limits with a group for each speed of ports; null where all links have one speed.
  const Limits* speed_limits() const { return speed_limits_ ? &*speed_limits_ : nullptr; }
  /// Where links differ in speed: the cables on ports of suitable speeds. Without goals and with `search` also the wiring
  /// that is best by the speed goals (speed_search.cc), in which the `fixed` NICs stay where they are.
  Wiring with_speeds(const Cabling& cabling, const std::vector<bool>& fixed, bool search);
  /// Whether a search proved that no wiring has a faster worst pair.
  bool worst_proved() const { return worst_proved_; }

  /// Records the outcome of a stage, which began when the one before it ended.
  void note(const std::string& stage, const std::string& outcome);
  const std::vector<StageReport>& stages() const { return stages_; }

  /// Plugs unused NICs into free ports. This costs nothing and adds bandwidth, unless the goals include the price of
  /// switches.
  Wiring filled(Wiring wiring);

  Outcome search(const Movable& movable, const Objective& objective, const std::vector<Wiring>& seeds,
                 const GeneticSettings& settings, const Budget& budget, const Finish& finish = nullptr);
  Outcome search_classic();

 private:
  void keep(const Individual& best, const Finish& finish);

  const Spec& spec_;
  Limits limits_;
  std::optional<Limits> speed_limits_;
  bool worst_proved_ = false;
  Demand demand_;
  Cabling pins_;
  DesignRequest request_;
  const Report& report_;
  Random random_;
  Budget budget_;
  std::int64_t generations_ = 0;
  std::vector<StageReport> stages_;
  std::optional<Individual> kept_;                      ///< the best that request_.keep_best has received
  std::chrono::steady_clock::time_point next_keep_{};  ///< not before this time
  std::chrono::steady_clock::time_point stage_began_ = std::chrono::steady_clock::now();
};

/// Whether a wiring meets the demand.
bool covers_all(const Wiring& wiring, const Demand& demand);

}  // namespace fnn
