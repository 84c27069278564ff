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
        designer_command({"design", spec, "-o", scratch_ / "d.json", "--threads", "1", "--time-limit", "1000"});
    words.insert(words.end(), designer.begin(), designer.end());
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  ProgramResult run(int processes, const std::string& spec, std::vector<std::string> more = {}) const {
    return BackgroundProgram(command(processes, spec, std::move(more))).wait();
  }

  static std::string data_path(const char* name) { return std::string(FNN_TEST_DATA) + "/" + name; }

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

// The search succeeds within about a second, long before the time limit.
TEST_F(Mpi, ASuccessEndsAllProcesses) {
  const auto begin = std::chrono::steady_clock::now();
  const ProgramResult ran = run(4, data_path("klat2.json"));
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
}

TEST_F(Mpi, SynchronousRunsGiveTheSameBytes) {
  std::string before;
  for (int time = 0; time < 2; ++time) {
    const ProgramResult ran = run(2, scratch_ / "endless.json", {"--steps", "11"});
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

TEST_F(Mpi, SigtermToMpirunWritesTheBestDesignSoFar) {
  BackgroundProgram started(command(2, scratch_ / "endless.json", {"--log", scratch_ / "log"}));
  ASSERT_TRUE(wait_for_file(scratch_ / "log"));
  started.send(SIGTERM);
  started.wait();
  ASSERT_TRUE(std::filesystem::exists(scratch_ / "d.json"));
  EXPECT_EQ(read_json(scratch_ / "d.json")["verdict"], "not-found");
}

/// Whether a process runs that has this argument.
bool is_argument_of_a_process(const std::string& argument) {
  for (const auto& process : std::filesystem::directory_iterator("/proc")) {
    const std::ifstream file(process.path() / "cmdline", std::ios::binary);
    std::ostringstream arguments;
    arguments << file.rdbuf();  // of a process that has ended since: nothing, and no exception
    if (arguments.str().find(argument) != std::string::npos) return true;
  }
  return false;
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
    for (int looks = 0; is_argument_of_a_process(checkpoint); ++looks) {
      ASSERT_LT(looks, 300) << "the processes outlive mpirun";
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    const auto files = std::filesystem::directory_iterator(scratch_ / "");
    EXPECT_EQ(std::distance(begin(files), end(files)), 2) << "only the spec and the checkpoint are left";
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
