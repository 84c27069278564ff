// SPDX-License-Identifier: GPL-3.0-or-later
#include "spec/goals.h"

#include <cmath>

#include "spec/spec.h"

namespace fnn {

bool Goals::any() const { return *this != Goals{}; }

Goals goals_of(const Spec& spec) {
  const auto given = spec.normal.find("goals");
  if (given == spec.normal.end()) return {};  // a spec without normal form (oracle/advice.cc)
  const auto weight = [&](const char* goal) { return given->value(goal, 0.0); };
  return {weight("shared_switches"), weight("balance"),      weight("exposure"),
          weight("cable_length"),    weight("moved_cables"), weight("price")};
}

double bandwidth_value(double bandwidth) {
  const double root = std::sqrt(bandwidth);
  const double fourth = std::sqrt(root);
  return root * fourth * std::sqrt(fourth);
}

std::vector<WeightedPair> valued_pairs_of(const Spec& spec) {
  const auto evaluation = spec.normal["goals"].find("evaluation");
  return evaluation == spec.normal["goals"].end() ? traffic_of(spec) : listed_pairs(spec, (*evaluation)["pairs"]);
}

}  // namespace fnn
