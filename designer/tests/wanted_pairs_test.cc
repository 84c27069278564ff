// SPDX-License-Identifier: GPL-3.0-or-later
// Every pattern is implemented twice, for the search and for the check. Both must agree.
#include "design/wanted_pairs.h"

#include <gtest/gtest.h>

#include <map>
#include <ostream>

#include "spec/patterns.h"
#include "support.h"

namespace fnn::testing {
namespace {

struct PatternOnNodes {
  int nodes;
  const char* pattern;
};

void PrintTo(const PatternOnNodes& one, std::ostream* out) { *out << one.nodes << " nodes, " << one.pattern; }

class WantedPairsTest : public ::testing::TestWithParam<PatternOnNodes> {};

TEST_P(WantedPairsTest, MatchThePatternsOfTheSearch) {
  Json document = plain_spec(GetParam().nodes, 1, 1, GetParam().nodes);
  document["coverage"] = "patterns";
  document["patterns"] = Json::array({Json::parse(GetParam().pattern)});
  const Spec spec = read_spec(document);
  const WantedPairs wanted(spec.normal);
  std::map<std::pair<int, int>, double> covered;
  for (const WeightedPair& pair : traffic_of(spec)) covered[{pair.a, pair.b}] = pair.weight;
  for (int a = 0; a < GetParam().nodes; ++a) {
    for (int b = a + 1; b < GetParam().nodes; ++b) {
      const auto [is_wanted, weight] = wanted.lookup(static_cast<std::size_t>(a), static_cast<std::size_t>(b));
      EXPECT_EQ(is_wanted, covered.contains({a, b})) << a << " and " << b;
      EXPECT_EQ(weight, is_wanted ? covered[std::pair(a, b)] : 0.0) << a << " and " << b;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, WantedPairsTest,
    ::testing::Values(PatternOnNodes{2, R"({"kind": "ring"})"}, PatternOnNodes{7, R"({"kind": "ring"})"},
                      PatternOnNodes{12, R"({"kind": "torus", "dims": [12]})"},
                      PatternOnNodes{12, R"({"kind": "torus", "dims": [3, 4]})"},
                      PatternOnNodes{30, R"({"kind": "torus", "dims": [2, 1, 5, 3]})"},
                      PatternOnNodes{40, R"({"kind": "torus", "dims": [2, 4, 5], "reach": "lines"})"},
                      PatternOnNodes{15, R"({"kind": "grid", "rows": 3, "cols": 5})"},
                      PatternOnNodes{16, R"({"kind": "hypercube"})"}, PatternOnNodes{32, R"({"kind": "bit-reversal"})"},
                      PatternOnNodes{16, R"({"kind": "bit-reversal"})"}, PatternOnNodes{25, R"({"kind": "transpose"})"},
                      PatternOnNodes{11, R"({"kind": "groups", "size": 4})"}, PatternOnNodes{13, R"({"kind": "tree"})"},
                      PatternOnNodes{16, R"({"kind": "tree"})"}, PatternOnNodes{13, R"({"kind": "dissemination"})"},
                      PatternOnNodes{16, R"({"kind": "dissemination"})"},
                      PatternOnNodes{9, R"({"kind": "shift", "offset": 8})"},
                      PatternOnNodes{10, R"({"kind": "shift", "offset": 5})"},
                      PatternOnNodes{5, R"({"kind": "pairs", "pairs": [["n004", "n001", 3], ["n000", "n002", 0]]})"}));

}  // namespace
}  // namespace fnn::testing
