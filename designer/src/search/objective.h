// SPDX-License-Identifier: GPL-3.0-or-later
// The objective function of a search; described at the head of objective.cc.
#pragma once

#include <cstdint>
#include <vector>

#include "design/wiring.h"
#include "search/former_links.h"
#include "search/kernel/kernel_state.h"
#include "spec/demand.h"
#include "spec/goals.h"

namespace fnn {

struct Spec;

/// The default goals where links differ in speed, in lexicographic order: a bandwidth that every wanted pair must have,
/// then few NICs with a link slower than they are, then the mean bandwidth of the communicating pairs.
struct SpeedGoals {
  int required = 0;   ///< bandwidth of wanted pairs, in LinkSpeeds::unit()
  bool mean = false;  ///< whether the two other goals count
};

class Objective {
 public:
  /// Coverage only.
  explicit Objective(Demand demand);
  /// Coverage first, then the goals. `former_links` are where cables should stay; null means no preference.
  Objective(const Spec& spec, const Limits& limits, const Goals& goals, const FormerLinks* former_links = nullptr);
  /// The same with a given demand and given communicating pairs; an empty list stands for all pairs.
  Objective(const Spec& spec, const Limits& limits, Demand demand, const std::vector<WeightedPair>& communicating,
            const Goals& goals, const FormerLinks* former_links);
  Objective(const Spec& spec, const Limits& limits, const SpeedGoals& goals);

  /// The same without goals: coverage, and the bandwidth that pairs must have.
  Objective without_goals() const;

  const Demand& demand() const { return demand_; }
  /// Whether there is anything beyond coverage.
  bool has_goals() const { return has_goals_; }
  /// The weight of the heaviest goal: the scale of temperatures, in shares.
  double scale() const { return scale_; }
  /// The first temperature of the goals, in that of most.
  double heat() const { return heat_; }
  /// The weight of the lightest goal, which must still matter at the last temperature.
  double lightest_goal() const { return lightest_goal_; }
  /// The cost of a wiring by the goals, computed from its links alone; less is better.
  std::int64_t cost(const Wiring& wiring) const;
  /// What wanted pairs lack of the bandwidth they must have. It counts like missing switches.
  std::int64_t shortage(const Wiring& wiring) const;
  /// The least bandwidth of a wanted pair, in LinkSpeeds::unit(), with speed goals.
  int worst_bandwidth(const Wiring& wiring) const;

  /// For KernelState: rows of wanted peers in its row length, or null when every pair is wanted once.
  const Word* wanted() const { return wanted_.empty() ? nullptr : wanted_.data(); }
  bool has_tables() const { return has_goals_ || !shortage_.empty(); }
  /// The goals as tables for the kernels. The caller owns `nic_load`, which belongs to one wiring.
  GoalTables goal_tables(std::int64_t* nic_load) const;
  bool has_balance() const { return !inverse_.empty(); }
  /// The loads of a wiring's NICs, per node and switch.
  std::vector<std::int64_t> nic_loads(const Wiring& wiring) const;

 private:
  void build_wanted_rows();
  void set_pair_weights(const std::vector<WeightedPair>& pairs, std::size_t nodes, bool with_wanted);
  void set_bandwidth_values(const Spec& spec, const Limits& limits, double weight);
  int set_speeds(const Spec& spec, const Limits& limits, double unit);
  void set_shortage(int required, int most);
  void set_below_costs(const Spec& spec, const Limits& limits, int most);
  void set_load_scale(const Limits& limits, double weight);
  void set_link_costs(const Spec& spec, const Limits& limits, const Goals& goals, const FormerLinks* former_links);
  void set_switch_costs(const Spec& spec, const Limits& limits, double weight);
  std::int64_t traffic_cost(const Wiring& wiring) const;
  std::int64_t balance_cost(const Wiring& wiring) const;
  std::int64_t exposure_cost(const Wiring& wiring) const;
  int bandwidth(const Wiring& wiring, int node, int peer) const;
  template <typename Visit>
  void for_each_required(const Wiring& wiring, Visit visit) const;

  Demand demand_;
  bool has_goals_ = false;
  double scale_ = 1.0;
  double heat_ = 1.0;
  double lightest_goal_ = 1.0;
  std::vector<Word> wanted_;
  std::vector<std::int32_t> first_peer_;
  std::vector<std::int32_t> peer_;
  std::vector<std::int32_t> weight_;
  std::vector<std::int32_t> value_;
  std::vector<std::int32_t> speed_;
  std::size_t groups_ = 0;
  std::vector<std::uint8_t> shortage_;
  std::vector<std::uint8_t> required_;
  std::vector<std::uint8_t> below_;
  std::int64_t below_cost_ = 0;
  std::int64_t below_discount_ = 0;
  std::vector<std::int64_t> link_cost_;
  std::vector<std::int64_t> load_cost_;
  std::vector<std::int32_t> first_load_;
  std::vector<std::int64_t> inverse_;
  std::int64_t exposure_ = 0;
};

/// The length of a row of nodes in KernelState, in words.
std::size_t row_words(std::size_t nodes);

}  // namespace fnn
