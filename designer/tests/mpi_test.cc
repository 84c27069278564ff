// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the program under mpirun.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>

#include "support.h"

namespace fnn::testing {
namespace {

bool is_there(const std::string& command) {
  return std::system(("command -v " + command + " > /dev/null 2>&1").c_str()) == 0;
}

constexpr int kTimeLimit = 1000;  // seconds, long enough for the busiest machine

/// The processes of the designer that have this argument, without mpirun.
std::vector<pid_t> processes_with_argument(const std::string& argument) {
  std::vector<pid_t> found;
  for (const auto& process : std::filesystem::directory_iterator("/proc")) {
    const std::ifstream file(process.path() / "cmdline", std::ios::binary);
    std::ostringstream arguments;
    arguments << file.rdbuf();  // of a process that has ended since: nothing, and no exception
    const bool is_designer = arguments.str().starts_with(FNN_DESIGNER);
    if (is_designer && arguments.str().find(argument) != std::string::npos) {
      found.push_back(std::stoi(process.path().filename()));
    }
  }
  return found;
}

class Mpi : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto plugin = std::filesystem::path(FNN_DESIGNER).parent_path() / "libfnn-mpi.so";
    if (!is_there("mpirun") || !std::filesystem::exists(plugin)) GTEST_SKIP() << "there is no MPI here";
    // The tests may run as root, in a container with one processor, and with sanitizers, which report leaks
    // of Open MPI.
    ::setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    ::setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    ::setenv("ASAN_OPTIONS", "detect_leaks=0", 1);
    write_file(scratch_ / "endless.json", pretty(open_spec()));
  }

  std::vector<std::string> command(int processes, const std::string& spec, std::vector<std::string> more) const {
    std::vector<std::string> words{"mpirun", "--oversubscribe", "--bind-to", "none", "-np", std::to_string(processes)};
    const std::vector<std::string> designer =
        designer_command({"design", spec, "-o", scratch_ / "d.json", "--threads", "1", "--time-limit", std::to_string(kTimeLimit)});
    words.insert(words.end(), designer.begin(), designer.end());
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  ProgramResult run(int processes, const std::string& spec, std::vector<std::string> more = {}) const {
    return BackgroundProgram(command(processes, spec, std::move(more))).wait();
  }

  static std::string data_path(const char* name) { return std::string(FNN_TEST_DATA) + "/" + name; }

  /// A standing design of the endless spec.
  std::string near() {
    run_designer({"design", scratch_ / "endless.json", "-o", scratch_ / "near.json", "--steps", "1", "--threads", "1"});
    return scratch_ / "near.json";
  }

  /// The design lists the pairs that share no switch, and these are all violations.
  void expect_a_sound_design() {
    ASSERT_TRUE(std::filesystem::exists(scratch_ / "d.json"));
    const Json document = read_json(scratch_ / "d.json");
    EXPECT_EQ(document["verdict"], "not-found");
    const ProgramResult check = run_designer({"check", scratch_ / "d.json"});
    EXPECT_EQ(check.answer()["violations"].size(), document["uncovered"].size()) << check.out;
  }

  TemporaryDirectory scratch_;
};

TEST_F(Mpi, ProcessesFindADesignAndOnlyRankZeroAnswers) {
  for (const int processes : {2, 4}) {
    const ProgramResult ran = run(processes, data_path("plane64.json"));
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.answer()["verdict"], "found") << "one answer, so it is JSON";
    EXPECT_EQ(run_designer({"check", scratch_ / "d.json"}).code, 0);
  }
}

// The search succeeds within about a second of processor time, and the time limit only ends a hang.
TEST_F(Mpi, ASuccessEndsAllProcesses) {
  const ProgramResult ran = run(4, data_path("klat2.json"));
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.answer()["verdict"], "found");
  EXPECT_LT(ran.answer()["seconds"], kTimeLimit) << "the time limit ended it";
}

// Migration follows the tenth generation. This search is open then and, unlike that of open_spec(), still without long
// children, which cost most.
TEST_F(Mpi, SynchronousRunsGiveTheSameBytes) {
  write_file(scratch_ / "open.json", pretty(plain_spec(35, 5, 20, 9)));
  std::string before;
  for (int time = 0; time < 2; ++time) {
    const ProgramResult ran = run(2, scratch_ / "open.json", {"--steps", "11", "--islands", "2"});
    EXPECT_EQ(ran.code, 3) << ran.err;
    EXPECT_EQ(ran.answer()["generations"], 11);
    const std::string now = read_file(scratch_ / "d.json");
    EXPECT_TRUE(before.empty() || now == before);
    before = now;
  }
  EXPECT_EQ(run(2, data_path("plane64.json"), {"--synchronous"}).code, 0);
}

TEST_F(Mpi, OneProcessGivesTheBytesOfAPlainRun) {
  EXPECT_EQ(run(1, scratch_ / "endless.json", {"--steps", "2"}).code, 3);
  const std::string alone = read_file(scratch_ / "d.json");
  run_designer({"design", scratch_ / "endless.json", "-o", scratch_ / "d.json", "--steps", "2"});
  EXPECT_EQ(read_file(scratch_ / "d.json"), alone);
}

TEST_F(Mpi, AnErrorIsReportedOnce) {
  const ProgramResult ran = run(2, scratch_ / "nothing.json");
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.answer()["problems"].size(), 1U);
  const std::string message = "nothing.json: cannot be read";
  ASSERT_NE(ran.err.find(message), std::string::npos) << ran.err;
  EXPECT_EQ(ran.err.find(message), ran.err.rfind(message));
}

// mpirun terminates the job when the first process fails.
TEST_F(Mpi, AnErrorIsReportedByASlowRankZero) {
  std::vector<std::string> words = command(2, scratch_ / "nothing.json", {});
  const auto designer = std::find(words.begin(), words.end(), FNN_DESIGNER);
  ASSERT_NE(designer, words.end());
  words.insert(designer, {"/bin/sh", "-c", "[ $OMPI_COMM_WORLD_RANK != 0 ] || sleep 1; exec \"$0\" \"$@\""});
  EXPECT_EQ(BackgroundProgram(words).wait().answer()["problems"].size(), 1U);
}

// mpirun kills its processes a second after SIGTERM, whether or not they had a processor in that second.
TEST_F(Mpi, SigtermToMpirunLeavesTheBestDesignSoFar) {
  BackgroundProgram started(command(2, scratch_ / "endless.json", {"--log", scratch_ / "log"}));
  ASSERT_TRUE(wait_for_file(scratch_ / "log"));
  started.send(SIGTERM);
  started.wait();
  expect_a_sound_design();
}

TEST_F(Mpi, KilledProcessesLeaveTheBestDesignSoFar) {
  for (const std::vector<std::string>& more : {std::vector<std::string>{}, {"--near", near()}}) {
    BackgroundProgram started(command(2, scratch_ / "endless.json", more));
    ASSERT_TRUE(wait_for_file(scratch_ / "d.json"));
    for (const pid_t process : processes_with_argument(scratch_ / "d.json")) ::kill(process, SIGKILL);
    started.wait();
    expect_a_sound_design();
    std::filesystem::remove(scratch_ / "d.json");
  }
}

TEST_F(Mpi, OutputThatIsNoFileGetsTheLastDesignOnly) {
  std::vector<std::string> words = command(2, scratch_ / "endless.json", {"--steps", "2"});
  const auto output = std::find(words.begin(), words.end(), scratch_ / "d.json");
  ASSERT_NE(output, words.end());
  *output = "/dev/stderr";
  const ProgramResult ran = BackgroundProgram(words).wait();
  const std::string format = "\"format\": \"fnn-design\"";
  ASSERT_NE(ran.err.find(format), std::string::npos) << ran.err;
  EXPECT_EQ(ran.err.find(format), ran.err.rfind(format));
}

// Every generation writes the checkpoint, so that mpirun is killed close to a write.
TEST_F(Mpi, KillingMpirunLeavesACompleteCheckpoint) {
  const std::string checkpoint = scratch_ / "c.json";
  for (int tenths = 0; tenths < 3; ++tenths) {
    BackgroundProgram started(
        command(2, scratch_ / "endless.json", {"--checkpoint", checkpoint, "--checkpoint-every", "0"}));
    ASSERT_TRUE(wait_for_file(checkpoint));
    std::this_thread::sleep_for(std::chrono::milliseconds(100 * tenths));
    started.send(SIGKILL);
    ASSERT_EQ(started.wait().code, -SIGKILL) << "mpirun ended before the signal";
    for (int looks = 0; !processes_with_argument(checkpoint).empty(); ++looks) {
      ASSERT_LT(looks, 3000) << "the processes outlive mpirun";
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    const auto files = std::filesystem::directory_iterator(scratch_ / "");
    EXPECT_EQ(std::distance(begin(files), end(files)), 3) << "more than the spec, the checkpoint and the design is left";
    const ProgramResult rest = run_designer({"design", scratch_ / "endless.json", "-o", scratch_ / "rest.json",
                                             "--threads", "1", "--resume", checkpoint, "--steps", "1"});
    EXPECT_EQ(rest.code, 3) << rest.err;
    std::filesystem::remove(scratch_ / "rest.json");
    std::filesystem::remove(checkpoint);
  }
}

TEST_F(Mpi, AllProcessesResumeFromTheCheckpointOfRankZero) {
  const std::string checkpoint = scratch_ / "c.json";
  EXPECT_EQ(run(2, scratch_ / "endless.json", {"--steps", "2", "--checkpoint", checkpoint}).code, 3);
  EXPECT_EQ(read_json(checkpoint)["state"]["generations"], 2);
  const Json before = read_json(scratch_ / "d.json");
  const ProgramResult ran = run(2, scratch_ / "endless.json", {"--steps", "4", "--resume", checkpoint});
  EXPECT_EQ(ran.code, 3) << ran.err;
  EXPECT_EQ(ran.answer()["generations"], 4);
  EXPECT_LE(read_json(scratch_ / "d.json")["uncovered"].size(), before["uncovered"].size()) << "the best was kept";
}

TEST_F(Mpi, ACheckpointOfAnotherRunIsRejectedAndEndsAllProcesses) {
  const std::string checkpoint = scratch_ / "c.json";
  run_designer({"design", scratch_ / "endless.json", "-o", scratch_ / "d.json", "--steps", "1", "--checkpoint", checkpoint});
  const ProgramResult ran = run(2, scratch_ / "endless.json", {"--seed", "2", "--resume", checkpoint});
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.answer()["problems"][0]["at"], "c.json#/run/seed");
}

TEST_F(Mpi, WithoutThePluginSeveralProcessesAreRejected) {
  std::filesystem::copy_file(FNN_DESIGNER, scratch_ / "fnn-designer");
  const ProgramResult ran = BackgroundProgram({"mpirun", "--oversubscribe", "-np", "2", scratch_ / "fnn-designer",
                                               "design", data_path("six.json"), "-o", scratch_ / "d.json"})
                      .wait();
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find("started as one of 2 processes, but the designer was built without MPI"), std::string::npos)
      << ran.err;
  EXPECT_FALSE(std::filesystem::exists(scratch_ / "d.json"));
}

}  // namespace
}  // namespace fnn::testing
