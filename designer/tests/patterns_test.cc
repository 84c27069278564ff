// SPDX-License-Identifier: GPL-3.0-or-later
// The patterns of docs/reference/patterns.md: small examples pair by pair, large ones by their number of pairs.
#include "spec/patterns.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "spec/demand.h"
#include "spec/goals.h"
#include "support.h"

namespace fnn::testing {
namespace {

Spec with_patterns(int nodes, const std::string& patterns) {
  Json document = plain_spec(nodes, 1, 1, nodes);
  document["coverage"] = "patterns";
  document["patterns"] = Json::parse(patterns);
  return read_spec(document);
}

/// "01 12x2": pairs of one-digit ranks, with the weight where it is not 1.
std::string pair_text(const std::vector<WeightedPair>& pairs) {
  std::string text;
  for (const WeightedPair& pair : pairs) {
    text += (text.empty() ? "" : " ") + std::to_string(pair.a) + std::to_string(pair.b);
    if (pair.weight != 1) text += "x" + compact(with_integers(pair.weight));
  }
  return text;
}

std::string pairs(int nodes, const std::string& pattern) {
  return pair_text(traffic_of(with_patterns(nodes, "[" + pattern + "]")));
}

std::size_t count(int nodes, const std::string& pattern) {
  return traffic_of(with_patterns(nodes, "[" + pattern + "]")).size();
}

TEST(Patterns, ARingJoinsEachNodeWithTheNextAndTheLastWithTheFirst) {
  EXPECT_EQ(pairs(4, R"({"kind": "ring"})"), "01 03 12 23");
  EXPECT_EQ(pairs(2, R"({"kind": "ring"})"), "01") << "there and back is one pair";
}

TEST(Patterns, ANearestTorusWrapsAroundInEachDimension) {
  EXPECT_EQ(pairs(6, R"({"kind": "torus", "dims": [3, 2]})"), "01 02 03 12 14 25 34 35 45");
  EXPECT_EQ(count(64, R"({"kind": "torus", "dims": [8, 8]})"), 128U);
  EXPECT_EQ(count(64, R"({"kind": "torus", "dims": [4, 4, 4]})"), 192U);
  EXPECT_EQ(count(8, R"({"kind": "torus", "dims": [2, 2, 2]})"), 12U) << "in a dimension of two, both ways are one";
}

TEST(Patterns, ATorusOfLinesJoinsAllNodesOfARowAndOfAColumn) {
  EXPECT_EQ(pairs(6, R"({"kind": "torus", "dims": [3, 2], "reach": "lines"})"), "01 02 03 12 14 25 34 35 45");
  EXPECT_EQ(count(64, R"({"kind": "torus", "dims": [8, 8], "reach": "lines"})"), 448U);
  EXPECT_EQ(count(64, R"({"kind": "torus", "dims": [4, 4, 4], "reach": "lines"})"), 288U);
}

TEST(Patterns, TheFirstDimensionVariesFastest) {
  EXPECT_EQ(pairs(8, R"({"kind": "torus", "dims": [4, 1, 2]})"), "01 03 04 12 15 23 26 37 45 47 56 67");
  EXPECT_EQ(pairs(6, R"({"kind": "grid", "rows": 2, "cols": 3})"), "01 02 04 13 15 23 24 35 45");
}

TEST(Patterns, AHypercubeJoinsNodesThatDifferInOneBit) {
  EXPECT_EQ(pairs(4, R"({"kind": "hypercube"})"), "01 02 13 23");
  EXPECT_EQ(count(64, R"({"kind": "hypercube"})"), 192U);
}

TEST(Patterns, BitReversalReversesTheBitsOfTheRank) {
  EXPECT_EQ(pairs(8, R"({"kind": "bit-reversal"})"), "14 36");
  EXPECT_EQ(count(128, R"({"kind": "bit-reversal"})"), 56U) << "16 of 128 are palindromes";
}

TEST(Patterns, TransposeMirrorsASquareAtItsDiagonal) {
  EXPECT_EQ(pairs(9, R"({"kind": "transpose"})"), "13 26 57");
}

TEST(Patterns, NodesOfAGroupCommunicateAndTheLastGroupMayBeSmaller) {
  EXPECT_EQ(pairs(5, R"({"kind": "groups", "size": 3})"), "01 02 12 34");
}

TEST(Patterns, ATreeIsBinomialWithTheFirstNodeAsItsRoot) {
  EXPECT_EQ(pairs(7, R"({"kind": "tree"})"), "01 02 04 23 45 46");
}

TEST(Patterns, DisseminationDoublesItsHops) {
  EXPECT_EQ(pairs(5, R"({"kind": "dissemination"})"), "01 02 03 04 12 13 14 23 24 34");
  EXPECT_EQ(pairs(4, R"({"kind": "dissemination"})"), "01 02 03 12 13 23");
  EXPECT_EQ(count(64, R"({"kind": "dissemination"})"), 64U * 5 + 32) << "the longest hop is the same both ways";
}

TEST(Patterns, AShiftWrapsAround) {
  EXPECT_EQ(pairs(5, R"({"kind": "shift", "offset": 2})"), "02 03 13 14 24");
  EXPECT_EQ(pairs(4, R"({"kind": "shift", "offset": 2})"), "02 13");
}

TEST(Patterns, ListedPairsAreSummedAndPairsWithoutWeightLeftOut) {
  const std::string list = R"({"kind": "pairs", "weight": 2, "pairs": [
    ["n002", "n001", 1.5], ["n000", "n001"], ["n001", "n002", 3], ["n000", "n002", 0]]})";
  EXPECT_EQ(pairs(3, list), "01x2 12x9");
  const Spec spec = with_patterns(3, "[" + list + "]");
  EXPECT_EQ(compact(spec.normal["patterns"][0]["pairs"]), R"([["n000","n001",1],["n001","n002",4.5]])");
}

TEST(Patterns, WeightsOfDifferentPatternsAddUp) {
  const Spec spec = with_patterns(4, R"([{"kind": "ring", "weight": 2}, {"kind": "shift", "offset": 1, "weight": 0.5},
                                         {"kind": "shift", "offset": 2}])");
  EXPECT_EQ(pair_text(traffic_of(spec)), "01x2.5 02 03x2.5 12x2.5 13 23x2.5");
}

const char* const kKasy0 = R"([{"kind": "ring"}, {"kind": "torus", "dims": [16, 8], "reach": "lines"},
  {"kind": "torus", "dims": [8, 4, 4], "reach": "lines"}, {"kind": "bit-reversal"}, {"kind": "hypercube"}])";

TEST(Patterns, TheFiveOfKasy0Are1536PairsOf23To25PerNode) {
  const Spec spec = with_patterns(128, kKasy0);
  std::vector<int> degree(128);
  for (const WeightedPair& pair : traffic_of(spec)) {
    ++degree[static_cast<std::size_t>(pair.a)];
    ++degree[static_cast<std::size_t>(pair.b)];
  }
  EXPECT_EQ(Demand(spec).pairs(), 1536);
  EXPECT_EQ(std::minmax_element(degree.begin(), degree.end()).first[0], 23);
  EXPECT_EQ(std::minmax_element(degree.begin(), degree.end()).second[0], 25);
}

TEST(Patterns, AnEvaluationReplacesThePatternsForTheGoalsOnly) {
  Json document = plain_spec(4, 1, 1, 4);
  document["patterns"] = Json::parse(R"([{"kind": "ring"}])");
  EXPECT_EQ(pair_text(valued_pairs_of(read_spec(document))), "01 03 12 23");
  document["goals"] = Json::parse(R"({"balance": 1, "price": 0, "evaluation": {"pairs": [["n003", "n000", 7]]}})");
  const Spec spec = read_spec(document);
  EXPECT_EQ(pair_text(valued_pairs_of(spec)), "03x7");
  EXPECT_EQ(pair_text(traffic_of(spec)), "01 03 12 23");
  EXPECT_EQ(goals_of(spec).balance, 1);
  EXPECT_FALSE(spec.normal["goals"].contains("price")) << "a goal of weight 0 is none";
}

class PairFiles : public ::testing::Test {
 protected:
  Json normalized(const std::string& text) {
    write_file(scratch_ / "traffic.csv", text);
    Json document = plain_spec(3, 1, 1, 3);
    document["patterns"] = Json::parse(R"([{"kind": "pairs", "file": "traffic.csv"}])");
    write_file(scratch_ / "spec.json", document.dump());
    return read_spec_file(scratch_ / "spec.json").normal["patterns"];
  }
  const std::string from_file_ = R"([{"kind":"pairs","pairs":[["n000","n001",12],["n001","n002",0.5]],"weight":1}])";
  TemporaryDirectory scratch_;
};

TEST_F(PairFiles, AListOfPairsBecomesPartOfTheSpec) {
  EXPECT_EQ(compact(normalized("# from, to, bytes\nn000,n001,10\n n001 , n000,2\r\n\nn001,n002,5e-1")), from_file_);
}

TEST_F(PairFiles, AByteMatrixCountsBothDirectionsAndNoNodeWithItself) {
  EXPECT_EQ(compact(normalized("9,10,0\n2,9,0.5\n0,0,9\n")), from_file_);
}

TEST_F(PairFiles, AMatrixWithNamesMayHaveThemInAnyOrder) {
  EXPECT_EQ(compact(normalized("\xEF\xBB\xBF,n001,n000,n002\nn000,10,9,0\nn001,9,2,0.5\n")), from_file_);
}

}  // namespace
}  // namespace fnn::testing
