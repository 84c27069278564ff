// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of the engine that take milliseconds, and facts that must hold for their results.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "base/json_text.h"
#include "base/problem.h"
#include "program/designing.h"

namespace fnn::fuzzing {

inline DesignRequest brief_request(std::int64_t seed) {
  DesignRequest request;
  request.seed = seed;
  request.time_limit = 0.02;
  request.generations = 1;
  request.islands = 1;
  return request;
}

inline void require(bool fact, const std::string& defect, const Json& document) {
  if (fact) return;
  std::cerr << defect << "\n" << pretty(document);
  std::abort();
}

inline void require_none(const std::vector<Problem>& violations, const Json& document) {
  for (const Problem& violation : violations) std::cerr << violation.line() << "\n";
  require(violations.empty(), "a design of the engine with violations", document);
}

}  // namespace fnn::fuzzing
