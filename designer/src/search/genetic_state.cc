// SPDX-License-Identifier: GPL-3.0-or-later
// Input and output of a genetic search: its whole state, and migrants between islands. All state that
// determines the course of the search belongs into save() and load().
#include "search/difference.h"
#include "search/genetic.h"
#include "search/wiring_text.h"

namespace fnn {
namespace {

/// Nothing unless every text of the list is a wiring.
std::optional<std::vector<Wiring>> read_wirings(const Json& texts, const Limits& limits) {
  std::vector<Wiring> wirings;
  for (const Json& text : texts) {
    const auto wiring = text.is_string() ? read_wiring(text.get<std::string>(), limits) : std::nullopt;
    if (!wiring) return std::nullopt;
    wirings.push_back(*wiring);
  }
  if (wirings.empty()) return std::nullopt;
  return wirings;
}

}  // namespace

Json Genetic::save() const {
  Json population = Json::array();
  for (const Individual& one : population_) population.push_back(write_wiring(one.wiring));
  return {{"random", random_.save()},
          {"effort", effort_},
          {"critical", critical_temperature_},
          {"settled", goal_generations_done_},
          {"population", population}};
}

bool Genetic::load(const Json& state) {
  if (!state.is_object()) return false;
  const Json effort = state.value("effort", Json());
  const Json critical = state.value("critical", Json());
  const Json goal_generations_done = state.value("settled", Json());
  const Json chance = state.value("random", Json());
  if (!effort.is_number() || !critical.is_number() || !chance.is_string()) return false;
  if (!goal_generations_done.is_number_integer()) return false;
  const std::optional<Random> random = Random::load(chance.get<std::string>());
  const auto wirings = read_wirings(state.value("population", Json()), best().wiring.limits());
  const bool possible = effort >= 1.0 && effort <= effort_limit() && critical >= 0.0 && critical <= hottest();
  if (!random || !wirings || !possible) return false;
  random_ = *random;
  effort_ = effort.get<double>();
  critical_temperature_ = critical.get<double>();
  goal_generations_done_ = goal_generations_done.get<std::int64_t>();
  population_.clear();
  for (const Wiring& wiring : *wirings) population_.push_back(evaluated(wiring));
  return true;
}

std::vector<Wiring> Genetic::emigrants() { return {best().wiring, pick_parent().wiring}; }

void Genetic::immigrate(const Wiring& wiring) {
  Individual newcomer = evaluated(wiring);
  if (newcomer.better_than(best()) || differ_widely(wiring, best().wiring)) replace_worst(std::move(newcomer));
}

}  // namespace fnn
