// SPDX-License-Identifier: GPL-3.0-or-later
#include "program/progress.h"

#include <gtest/gtest.h>

#include <regex>
#include <sstream>

#include "support.h"

namespace fnn::testing {
namespace {

/// A search that never succeeds, with a time limit of 0.8 s by default.
class ProgressOutput : public ::testing::Test {
 protected:
  ProgramResult run(std::vector<std::string> more, std::vector<std::string> limit = {"--time-limit", "0.8"}) {
    write_file(scratch_ / "spec.json", pretty(open_spec()));
    std::vector<std::string> arguments{"design", scratch_ / "spec.json", "-o", scratch_ / "d.json"};
    arguments.insert(arguments.end(), limit.begin(), limit.end());
    arguments.insert(arguments.end(), more.begin(), more.end());
    ProgramResult ran = run_designer(arguments);
    EXPECT_EQ(ran.code, 3) << ran.err;
    return ran;
  }

  static std::vector<Json> lines(const std::string& text) {
    std::vector<Json> found;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) found.push_back(Json::parse(line));
    return found;
  }

  TemporaryDirectory scratch_;
};

TEST_F(ProgressOutput, PrintsNothingWithoutATerminalOrWithQuiet) {
  EXPECT_EQ(run({}).err, "");
  EXPECT_EQ(run({"--progress", "auto"}).err, "");
  EXPECT_EQ(run({"--quiet"}).err, "");
}

TEST_F(ProgressOutput, TextShowsGenerationsUncoveredPairsRateAndTimeLeft) {
  const std::string err = run({"--progress", "text"}).err;
  const std::regex line(R"(\d+ generations?, \d+ pairs uncovered, [\d.]+ generations/s, \d+ s left\n)");
  EXPECT_TRUE(std::regex_search(err, line)) << err;
}

TEST_F(ProgressOutput, JsonProgressIsOneObjectPerLine) {
  const std::vector<Json> objects = lines(run({"--progress", "json"}).err);
  ASSERT_GE(objects.size(), 1U);
  for (const char* key : {"generation", "uncovered", "cost", "rate", "seconds", "seconds_left"}) {
    EXPECT_GE(objects.front().at(key), 0) << key;
  }
  EXPECT_LT(objects.front()["seconds_left"], 0.8);
}

TEST_F(ProgressOutput, AnUnknownProgressIsBadInput) {
  EXPECT_EQ(run_designer({"design", "x", "-o", "y", "--progress", "loud"}).code, 2);
  EXPECT_EQ(run_designer({"design", "x", "-o", "y", "--progress", "json", "--quiet"}).code, 2);
}

TEST_F(ProgressOutput, TheLogHasTheFirstGenerationAllImprovementsAndTheAnswer) {
  // By steps, as a processor that is busy for 0.8 s leaves one generation.
  const ProgramResult ran = run({"--log", scratch_ / "log"}, {"--steps", "8"});
  const std::vector<Json> objects = lines(read_file(scratch_ / "log"));
  ASSERT_GE(objects.size(), 3U);
  EXPECT_EQ(objects.front()["event"], "generation");
  EXPECT_EQ(objects.front()["generation"], 1);
  EXPECT_EQ(objects.back()["event"], "end");
  EXPECT_EQ(objects.back()["uncovered"], ran.answer()["uncovered"]);
  int before = objects.front()["uncovered"];
  for (std::size_t i = 1; i + 1 < objects.size(); ++i) {
    EXPECT_LE(objects[i]["uncovered"], before);
    before = objects[i]["uncovered"];
  }
}

TEST_F(ProgressOutput, AnUnwritableLogIsBadInput) {
  write_file(scratch_ / "spec.json", pretty(plain_spec(6, 2, 3, 4)));
  const ProgramResult ran =
      run_designer({"design", scratch_ / "spec.json", "-o", scratch_ / "d.json", "--log", scratch_ / "no/log"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.err, "log: cannot be written: No such file or directory\n");
  EXPECT_FALSE(std::filesystem::exists(scratch_ / "d.json"));
}

TEST_F(ProgressOutput, TimesAndRatesNeverEnterTheDesign) {
  write_file(scratch_ / "spec.json", pretty(open_spec()));
  for (const char* name : {"a", "b"}) {
    run_designer({"design", scratch_ / "spec.json", "-o", scratch_ / name, "--steps", "2", "--log", scratch_ / "log"});
  }
  EXPECT_EQ(read_file(scratch_ / "a"), read_file(scratch_ / "b"));
}

}  // namespace
}  // namespace fnn::testing
