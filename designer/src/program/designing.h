// SPDX-License-Identifier: GPL-3.0-or-later
// Designing: from a spec to a cabling, by the cheapest stage that can do it.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "design/standing.h"
#include "oracle/verdict.h"
#include "search/islands.h"

namespace fnn {

/// The search method of a fresh design.
enum class Method {
  kBest,         ///< all stages
  kRandomStart,  ///< only the memetic search, from random wirings
  kClassic,      ///< only the plain genetic algorithm of the paper
  kExact,        ///< only the exact search over types, which may end without a design
};

/// Of the exact search that is a stage of every fresh design with up to kMostTypeSwitches switches.
inline constexpr long long kShortTypeEffort = 10000000;

struct Designed;

struct DesignRequest {
  Method method = Method::kBest;
  std::int64_t seed = 1;
  double time_limit = 10.0;  ///< seconds
  std::optional<std::int64_t> generations;
  std::size_t threads = 1;
  std::size_t islands = kIslands;
  CheckpointSink* checkpoint = nullptr;  ///< the checkpoint sink that saves the state of the searches, if any
  ProcessGroup* processes = nullptr;     ///< the process group, if there are several processes
  std::optional<double> near_weight;  ///< of a kept cable, instead of the goal of the spec
  bool grow = false;  ///< move cables of the earlier design only where no other change suffices
  bool upgrades = false;  ///< search for purchases that make links faster
  std::function<void(const Designed&)> keep_best{};  ///< receives the best design so far, while several processes search
};

/// One stage, its duration and its outcome.
struct StageReport {
  std::string name;
  double seconds;
  std::string outcome;
};

struct Designed {
  Cabling cabling;
  std::optional<Moves> moves;  ///< with an earlier design to stay close to
  std::string stage;           ///< "kept", "grown", "moved", "rails", "algebra", "types", "genetic" or "ga-classic"
  std::int64_t generations = 0;
  std::vector<StageReport> stages;              ///< in the order they were tried
  std::optional<Certificate> infeasible;  ///< an exhaustive search proved that no wiring covers every pair
  bool worst_proved = false;              ///< where links differ in speed: no wiring has a faster worst pair
  Json upgrades = Json::array();          ///< with DesignRequest::upgrades (speed_upgrades.h)
};

/// Always returns a cabling within the limits; it covers every pair unless the budget ran out or none can.
/// The caller must have checked the bounds.
Designed design(const Spec& spec, const std::optional<Design>& old, const DesignRequest& request,
                const Report& report);

}  // namespace fnn
