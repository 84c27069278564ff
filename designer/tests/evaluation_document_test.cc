// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/evaluation_document.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/units.h"
#include "design/design_document.h"
#include "fabrics.h"
#include "support.h"

namespace fnn::testing {
namespace {

/// Nodes and switches of all kinds with a random wiring; half of the switches are oversubscribed.
Design any_design(Random& random) {
  Json document = many_sided_spec(random);
  for (Json& device : document["switches"]) {
    if (random.one_in(2)) device["internal_gbps"] = 0.5 + static_cast<double>(random.below(8));
  }
  const Spec spec = read_spec(document);
  const Limits limits(spec);
  Wiring wiring(limits);
  if (!random.one_in(10)) wiring.fill(random);
  return read_design(design_document(spec, cabled(links_of(wiring), {}, limits), 1, {}, std::nullopt));
}

/// The place of a number that is not finite or is negative; "" when there is none.
std::string unsound(const Json& value, const std::string& at = "") {
  if (value.is_number() && (!std::isfinite(value.get<double>()) || value.get<double>() < 0)) return at;
  if (!value.is_structured()) return "";
  for (const auto& item : value.items()) {
    const std::string found = unsound(item.value(), at + "/" + item.key());
    if (!found.empty()) return found;
  }
  return "";
}

void expect_no_routing_beats_the_best(const Json& worst) {
  const auto expect = [](const Json& one, double high) {
    EXPECT_LE(one["ratio"]["basic"].get<double>(), 1.000001);
    EXPECT_LE(one["ratio"]["advanced"].get<double>(), 1.000001);
    EXPECT_LE(one["ratio"]["weighted"].get<double>(), 1.000001);
    EXPECT_LE(one["optimal"]["low"].is_object() ? one["optimal"]["low"]["value"].get<double>()
                                                : one["optimal"]["low"].get<double>(),
              high * 1.00001 + 1e-6);
  };
  if (!worst["permutation"].is_null()) expect(worst["permutation"], worst["permutation"]["optimal"]["high"]["value"]);
  for (const Json& pattern : worst["patterns"]) {
    if (!pattern["optimal"].is_null()) expect(pattern, pattern["optimal"]["high"]);
  }
}

TEST(EvaluationDocument, NumbersAreFiniteAndNonNegativeForRandomDesigns) {
  const int designs = cases(50, 150);
  int with_traffic = 0;
  for (int seed = 0; seed < designs; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const Json evaluation = evaluation_document(any_design(random), {1, 50, 1});
    EXPECT_EQ(unsound(evaluation), "") << "seed " << seed;
    expect_no_routing_beats_the_best(evaluation["worst_case"]);
    const Json& ebb = evaluation["ebb"]["advanced"];
    EXPECT_LE(evaluation["ebb"]["basic"]["sym"]["mean"].get<double>(), ebb["uni"]["mean"].get<double>() + 1e-6);
    with_traffic += evaluation["worst_case"]["permutation"].is_null() ? 0 : 1;
  }
  EXPECT_GT(with_traffic, designs * 2 / 3);
}

TEST(EvaluationDocument, ASlowFabricHasAtLeastOneMegabit) {
  EXPECT_EQ(mbps_of_gbps(5e-324), 1);
  EXPECT_EQ(mbps_of_gbps(1.5), 1500);
}

TEST(EvaluationDocument, ADesignWithoutCablesHasNoBandwidth) {
  const Spec spec = read_spec(plain_spec(3, 1, 1, 3));
  const Json evaluation =
      evaluation_document(read_design(design_document(spec, Cabling(3), 1, {}, std::nullopt)), {1, 50, 1});
  EXPECT_EQ(evaluation["pairwise"]["mean"]["exact"], "0");
  EXPECT_EQ(evaluation["switches_traversed"]["unreached"], 6);
  EXPECT_EQ(evaluation["ebb"]["advanced"]["uni"]["mean"], 0.0);
  EXPECT_TRUE(evaluation["forwarding_index"]["nic"].is_null());
  EXPECT_TRUE(evaluation["exposure"]["switch"].is_null());
  EXPECT_TRUE(evaluation["worst_case"]["ratio"].is_null());
}

}  // namespace
}  // namespace fnn::testing
