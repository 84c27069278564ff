// SPDX-License-Identifier: GPL-3.0-or-later
// Sends signals to processes of the program.
#include "base/stopping.h"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <iterator>
#include <thread>

#include "support.h"

namespace fnn::testing {
namespace {

class Stopping : public ::testing::Test {
 protected:
  std::vector<std::string> endless(const Json& spec = open_spec()) {
    write_file(scratch_ / "spec.json", pretty(spec));
    return designer_command({"design", scratch_ / "spec.json", "-o", scratch_ / "d.json", "--time-limit", "1000",
                             "--log", scratch_ / "log"});
  }

  /// A stopped run must leave the verdict "not-found" and a sound design that lists its uncovered pairs.
  void expect_the_best_so_far(const ProgramResult& ran) {
    EXPECT_EQ(ran.answer()["verdict"], "not-found");
    EXPECT_EQ(ran.answer()["interrupted"], true);
    const Json document = read_json(scratch_ / "d.json");
    EXPECT_EQ(document["verdict"], "not-found");
    EXPECT_EQ(document["uncovered"].size(), ran.answer()["uncovered"]);
    const ProgramResult check = run_designer({"check", scratch_ / "d.json"});
    EXPECT_EQ(check.answer()["violations"].size(), document["uncovered"].size());
  }

  std::ptrdiff_t files() const {
    const auto all = std::filesystem::directory_iterator(scratch_ / "");
    return std::distance(begin(all), end(all));
  }

  TemporaryDirectory scratch_;
};

TEST_F(Stopping, CtrlCWritesTheBestSoFarAndEndsWith130) {
  BackgroundProgram run(endless());
  ASSERT_TRUE(wait_for_file(scratch_ / "log"));
  run.send(SIGINT);
  const ProgramResult ran = run.wait();
  EXPECT_EQ(ran.code, 130) << ran.err;
  expect_the_best_so_far(ran);
}

TEST_F(Stopping, SigtermWritesTheBestSoFarAndEndsWith143) {
  BackgroundProgram run(endless());
  ASSERT_TRUE(wait_for_file(scratch_ / "log"));
  run.send(SIGTERM);
  const ProgramResult ran = run.wait();
  EXPECT_EQ(ran.code, 143) << ran.err;
  expect_the_best_so_far(ran);
}

TEST_F(Stopping, ASignalInterruptsTheFirstGeneration) {
  BackgroundProgram run(endless(plain_spec(960, 6, 28, 205)));
  for (int looks = 0; !run.catches(SIGINT); ++looks) {
    ASSERT_LT(looks, 60000);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  run.send(SIGINT);
  const ProgramResult ran = run.wait();
  EXPECT_EQ(ran.code, 130) << ran.err;
  expect_the_best_so_far(ran);
}

TEST_F(Stopping, ASecondSignalEndsAtOnceAndLeavesNoPartialFile) {
  for (int wait = 0; wait < 20; ++wait) {
    BackgroundProgram run(endless());
    ASSERT_TRUE(wait_for_file(scratch_ / "log"));
    run.send(SIGTERM);
    std::this_thread::sleep_for(std::chrono::microseconds(200 * wait));
    run.send(SIGTERM);
    EXPECT_EQ(run.wait().code, 143);
    std::filesystem::remove(scratch_ / "log");
    std::filesystem::remove(scratch_ / "d.json");
    ASSERT_EQ(files(), 1) << "only the spec is left";
  }
}

}  // namespace
}  // namespace fnn::testing
