// SPDX-License-Identifier: GPL-3.0-or-later
#include "named_bounds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "support.h"

namespace fnn::testing {
namespace {

constexpr int kMostSwitches = 500;

}  // namespace

std::map<std::string, Bound> bounds_of(const Spec& spec) {
  std::map<std::string, Bound> bounds;
  for (Bound& bound : compute_bounds(spec)) bounds.emplace(bound.name, bound);
  return bounds;
}

std::map<std::string, Bound> bounds_of(const Json& document) { return bounds_of(read_spec(document)); }

void expect_only(const Json& document, const std::string& name) {
  const std::set<std::string> sharper = {"fisher", "rank", "twins", "sizes", "determinant", "ratio"};
  const auto bounds = bounds_of(document);
  ASSERT_TRUE(bounds.contains(name));
  EXPECT_FALSE(bounds.at(name).holds());
  for (const auto& [other, bound] : bounds) EXPECT_TRUE(bound.holds() || sharper.contains(other)) << other;
}

int fewest_switches_by_bounds(int nodes, int nics, int ports) {
  int switches = 1;
  const auto is_excluded = [&] {
    const auto bounds = bounds_of(plain_spec(nodes, nics, switches, ports));
    return std::any_of(bounds.begin(), bounds.end(), [](const auto& one) { return !one.second.holds(); });
  };
  while (is_excluded()) {
    if (++switches > kMostSwitches) throw std::runtime_error("no number of switches is enough");
  }
  return switches;
}

}  // namespace fnn::testing
