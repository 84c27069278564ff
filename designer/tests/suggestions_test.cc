// SPDX-License-Identifier: GPL-3.0-or-later
// The choice of suggestions. The messages to the user are tested by tests/errors/infeasible.
#include "oracle/suggestions.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "oracle/verdict.h"
#include "support.h"

namespace fnn::testing {
namespace {

bool never(const Spec&, const Demand&) { return false; }

std::vector<Suggestion> suggestions(const Json& document) { return suggest_changes(read_spec(document), never); }

std::vector<std::string> messages(const Json& document) {
  std::vector<std::string> all;
  for (const Suggestion& one : suggestions(document)) all.push_back(one.message);
  return all;
}

// Nine switches suffice with 26 ports; 19 ports are too few for a projective plane on any number of switches.
TEST(Suggestions, AreTheSmallestChangesWithADesign) {
  const std::vector<Suggestion> found = suggestions(plain_spec(64, 4, 9, 20));
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].change, "ports");
  EXPECT_EQ(found[0].add, 6);
  EXPECT_EQ(found[0].message, "6 more ports per switch: 26 instead of 20");
  EXPECT_TRUE(found[0].designed);
  EXPECT_EQ(found[1].message, "4 more switches: 13 instead of 9");
  EXPECT_TRUE(found[1].designed);
}

TEST(Suggestions, NamePortsPerSwitchAndWholeSwitches) {
  EXPECT_EQ(messages(plain_spec(64, 4, 8, 26)),
            (std::vector<std::string>{"1 more port per switch: 27 instead of 26", "a 9th switch"}));
  EXPECT_EQ(messages(plain_spec(64, 4, 13, 19)),
            (std::vector<std::string>{"1 more port per switch: 20 instead of 19"}));
}

TEST(Suggestions, AreSortedByPrice) {
  Json document = plain_spec(64, 4, 8, 26);
  document["prices"] = {{"port", 12.5}};
  document["switches"][0]["price"] = 90;
  const std::vector<Suggestion> found = suggestions(document);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].change, "switches");
  EXPECT_EQ(found[0].price, 90);
  EXPECT_EQ(found[1].price, 8 * 12.5);
}

TEST(Suggestions, DistinguishOpenFromDesignedChanges) {
  // Whether 21 switches of 6 ports suffice for 24 nodes with 6 NICs is an open problem; with 7 ports they do.
  const std::vector<Suggestion> found = suggestions(plain_spec(24, 6, 21, 5));
  ASSERT_GE(found.size(), 2U);
  EXPECT_EQ(found[0].message, "1 more port per switch: 6 instead of 5");
  EXPECT_FALSE(found[0].designed);
  EXPECT_EQ(found[1].message, "2 more ports per switch: 7 instead of 5");
  EXPECT_TRUE(found[1].designed);
}

TEST(Suggestions, IncludeALowerRedundancy) {
  Json document = plain_spec(8, 3, 4, 6);
  document["redundancy"] = 3;
  const std::vector<std::string> all = messages(document);
  EXPECT_NE(std::find(all.begin(), all.end(), "redundancy 2 instead of 3"), all.end());
}

TEST(Suggestions, AddNicsToTheNodesWithTheFewest) {
  Json document = plain_spec(6, 2, 3, 4);
  document["nodes"][1]["nics"] = 1;
  const std::vector<std::string> all = messages(document);
  EXPECT_NE(std::find(all.begin(), all.end(), "1 more NIC in n001: 2 instead of 1"), all.end());
}

// For every suggestion of more ports the oracle must find a design, and prove that one port less is
// infeasible.
TEST(Suggestions, OfPortsAreProvedMinimal) {
  const Spec spec = read_spec(plain_spec(48, 4, 9, 18));
  int compared = 0;
  for (const Suggestion& one : suggest_changes(spec, never)) {
    if (one.change != "ports") continue;
    ++compared;
    const Spec enough = read_spec(plain_spec(48, 4, 9, 18 + static_cast<int>(one.add)));
    const Spec too_little = read_spec(plain_spec(48, 4, 9, 17 + static_cast<int>(one.add)));
    EXPECT_EQ(assess(enough, Demand(enough), 100000000).prospect, Prospect::kDesigned);
    EXPECT_EQ(assess(too_little, Demand(too_little), 100000000).prospect, Prospect::kImpossible);
  }
  EXPECT_EQ(compared, 1) << "more ports must be suggested";
}

}  // namespace
}  // namespace fnn::testing
