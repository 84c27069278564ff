// SPDX-License-Identifier: GPL-3.0-or-later
#include "program/fewest_switches.h"

#include <gtest/gtest.h>

#include "support.h"

namespace fnn::testing {
namespace {

/// A run of the quick form with the number of switches open.
class QuickForm : public ::testing::Test {
 protected:
  Json settled(const std::vector<std::string>& words) {
    std::vector<std::string> all = {"design", "-o", scratch_ / "d.json"};
    all.insert(all.end(), words.begin(), words.end());
    const ProgramResult ran = run_designer(all);
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(run_designer({"check", scratch_ / "d.json"}).code, 0);
    return ran.answer()["settled"]["switches"];
  }
  Json design() const { return read_json(scratch_ / "d.json"); }

  TemporaryDirectory scratch_;
};

// The best known family has 19. The search finds 18, and 17 are proved impossible.
TEST_F(QuickForm, SearchesBelowTheNumberOfAlgebra) {
  EXPECT_EQ(settled({"--nodes", "14", "--nics", "6", "--ports", "4", "--time-limit", "600"}),
            Json::parse(R"({"value": 18, "how": "proved", "at_least": 18, "best_known": 19})"));
  EXPECT_EQ(design()["spec"]["switches"].size(), 18U);
}

// The bounds exclude 14 switches, an exact search 15.
TEST_F(QuickForm, DecidesSmallNumbersBySearchingExactly) {
  const Json found = settled({"--nodes", "71", "--nics", "5", "--ports", "21", "--time-limit", "600"});
  EXPECT_EQ(found["value"], 16);
  EXPECT_EQ(found["how"], "proved");
}

TEST_F(QuickForm, KeepsTheUplinkOfFewerSwitches) {
  EXPECT_EQ(settled({"--nodes", "12", "--nics", "5", "--ports", "4", "--uplink"})["value"], 12);
  EXPECT_EQ(design()["spec"]["switches"][0]["ports"][0]["count"], 5);
  EXPECT_EQ(design()["spec"]["uplink"]["ports"], 12);
}

TEST_F(QuickForm, TheSameStepsAndSeedGiveTheSameBytes) {
  const std::vector<std::string> words = {"--nodes", "14", "--nics", "6", "--ports", "4", "--steps", "3", "--seed", "7"};
  const Json first = settled(words);
  const std::string bytes = read_file(scratch_ / "d.json");
  EXPECT_LT(first["value"], first["best_known"]);
  EXPECT_GE(first["value"], first["at_least"]);
  EXPECT_EQ(settled(words), first);
  EXPECT_EQ(read_file(scratch_ / "d.json"), bytes);
}

TEST_F(QuickForm, TheDesignIsThatOfTheNumberAlone) {
  const std::vector<std::string> words = {"--nodes", "12", "--nics", "5", "--ports", "4"};
  EXPECT_EQ(settled(words)["value"], 12);
  const Json found = design();
  std::vector<std::string> all = {"design", "-o", scratch_ / "d.json", "--switches", "12"};
  all.insert(all.end(), words.begin(), words.end());
  EXPECT_EQ(run_designer(all).code, 0);
  EXPECT_EQ(design(), found);
}

TEST_F(QuickForm, WithoutTimeItAnswersWithTheNumberOfTheBestFamily) {
  const Json answer = settled({"--nodes", "24", "--nics", "6", "--ports", "6", "--time-limit", "0"});
  EXPECT_EQ(answer["value"], 23);
  EXPECT_EQ(answer["how"], "found");
  EXPECT_EQ(settled({"--nodes", "46", "--nics", "6", "--ports", "11", "--time-limit", "0"})["value"], 23);
}

TEST(SwitchRange, StatesWhatIsKnown) {
  SwitchRange range{{46, 6, 11, 23}, 21, 23, true};
  EXPECT_EQ(to_json(range)["how"], "best-known");
  range.at_least = 23;
  EXPECT_EQ(to_json(range)["how"], "proved");
  range = {{46, 6, 11, 22}, 21, 23, true};
  EXPECT_EQ(to_json(range)["how"], "found");
  range = {{46, 6, 11, 31}, 21, std::nullopt, false};
  EXPECT_EQ(to_json(range), Json::parse(R"({"value": 31, "how": "tried", "at_least": 21})"));
}

}  // namespace
}  // namespace fnn::testing
