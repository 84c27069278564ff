// SPDX-License-Identifier: GPL-3.0-or-later
// Interrupted runs that resume from a checkpoint.
#include "program/checkpoint.h"

#include <gtest/gtest.h>

#include <csignal>

#include "base/digest.h"
#include "support.h"

namespace fnn::testing {
namespace {

class Resuming : public ::testing::Test {
 protected:
  Resuming() { write_file(scratch_ / "spec.json", pretty(open_spec())); }

  /// The arguments for a search that never succeeds.
  std::vector<std::string> endless(std::vector<std::string> more, const char* design = "d.json") {
    std::vector<std::string> arguments{"design",   scratch_ / "spec.json", "-o", scratch_ / design, "--time-limit",
                                       "1000",     "--threads",            "1"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }

  ProgramResult run(std::vector<std::string> more, const char* design = "d.json") {
    return run_designer(endless(std::move(more), design));
  }

  void expect_refused(const std::string& message) {
    const ProgramResult ran = run({"--resume", scratch_ / "c.json", "--steps", "3"});
    EXPECT_EQ(ran.code, 2);
    EXPECT_EQ(ran.err, message + "\n");
  }

  TemporaryDirectory scratch_;
};

// Migration follows the tenth generation; the checkpoint holds the state before it. By then all children are long, which
// costs a fifth of the time of open_spec() with this spec and two islands.
TEST_F(Resuming, ContinuesExactlyAsTheUninterruptedRun) {
  write_file(scratch_ / "spec.json", pretty(plain_spec(24, 6, 29, 5)));
  const auto run_islands = [&](std::vector<std::string> more, const char* design = "d.json") {
    more.insert(more.end(), {"--islands", "2"});
    return run(std::move(more), design);
  };
  const auto state = [&](const char* name) { return read_json(scratch_ / name)["state"]; };
  EXPECT_EQ(run_islands({"--steps", "11", "--checkpoint", scratch_ / "whole.ckpt"}, "whole.json").code, 3);
  EXPECT_EQ(run_islands({"--steps", "10", "--checkpoint", scratch_ / "c.json"}).code, 3);
  EXPECT_NE(state("c.json"), state("whole.ckpt"));
  EXPECT_GT(state("c.json")["islands"][0]["critical"], 0) << "it must be restored";
  const ProgramResult rest =
      run_islands({"--steps", "11", "--resume", scratch_ / "c.json", "--checkpoint", scratch_ / "c.json"});
  EXPECT_EQ(rest.code, 3);
  EXPECT_EQ(rest.answer()["generations"], 11);
  EXPECT_TRUE(read_file(scratch_ / "d.json") == read_file(scratch_ / "whole.json"));
  EXPECT_TRUE(state("c.json") == state("whole.ckpt"));
}

TEST_F(Resuming, ASignalDuringAGenerationSavesThePreviousGeneration) {
  EXPECT_EQ(run({"--steps", "9"}, "whole.json").code, 3);
  const std::string checkpoint = scratch_ / "c.json";
  BackgroundProgram first(designer_command(endless({"--steps", "9", "--checkpoint", checkpoint,
                                                    "--log", scratch_ / "log"})));
  ASSERT_TRUE(wait_for_file(scratch_ / "log"));
  first.send(SIGTERM);
  ASSERT_EQ(first.wait().code, 143) << "it ended before the signal came";
  // A signal during the first generation leaves no complete generation to save.
  if (!std::filesystem::exists(checkpoint)) GTEST_SKIP() << "the signal came too early";
  EXPECT_EQ(run({"--steps", "9", "--resume", checkpoint, "--checkpoint", checkpoint}).code, 3);
  EXPECT_EQ(read_file(scratch_ / "d.json"), read_file(scratch_ / "whole.json"));
}

TEST_F(Resuming, TheStateIsWrittenAtIntervals) {
  BackgroundProgram started(designer_command(endless({"--checkpoint", scratch_ / "c.json",
                                                      "--checkpoint-every", "0"})));
  EXPECT_TRUE(wait_for_file(scratch_ / "c.json"));
  started.send(SIGKILL);
  started.wait();
  EXPECT_EQ(run({"--steps", "1", "--resume", scratch_ / "c.json"}).code, 3) << "whole even after a sudden end";
}

TEST_F(Resuming, ACheckpointOfAnotherRunIsRejected) {
  run({"--steps", "1", "--checkpoint", scratch_ / "c.json"});
  ProgramResult ran = run({"--steps", "3", "--resume", scratch_ / "c.json", "--seed", "2"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.err, "c.json#/run/seed: 1 belongs to another run, expected 2\n");
  write_file(scratch_ / "spec.json", pretty(plain_spec(36, 7, 43, 6)));
  ran = run({"--steps", "3", "--resume", scratch_ / "c.json"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_TRUE(ran.err.starts_with("c.json#/run/spec_digest: \"sha256:")) << ran.err;
}

TEST_F(Resuming, ADamagedCheckpointIsRejected) {
  run({"--steps", "1", "--checkpoint", scratch_ / "c.json"});
  const std::string sound = read_file(scratch_ / "c.json");
  Json changed = Json::parse(sound);
  changed["state"]["generations"] = 2;
  write_file(scratch_ / "c.json", pretty(changed));
  expect_refused("c.json#/state: damaged: it does not match its digest");
  changed.erase("state");
  write_file(scratch_ / "c.json", pretty(changed));
  expect_refused("c.json#/state: missing");
  for (std::size_t cut = 1; cut < sound.size(); cut += sound.size() / 40) {
    write_file(scratch_ / "c.json", sound.substr(0, cut));
    EXPECT_EQ(run({"--resume", scratch_ / "c.json"}).code, 2) << "cut after " << cut;
  }
}

TEST_F(Resuming, AnInvalidStateIsRejectedEvenWithAMatchingDigest) {
  run({"--steps", "1", "--checkpoint", scratch_ / "c.json"});
  const Json sound = read_json(scratch_ / "c.json");
  const std::vector<std::pair<std::string, Json>> wrong = {{"/generations", -1},
                                                           {"/islands", Json::array()},
                                                           {"/islands/0", 7},
                                                           {"/islands/0/effort", "much"},
                                                           {"/islands/0/effort", 1e300},
                                                           {"/islands/0/critical", "hot"},
                                                           {"/islands/0/critical", -0.5},
                                                           {"/islands/0/critical", 1e300},
                                                           {"/islands/1/random", std::string(64, '0')},
                                                           {"/islands/1/random", "chance"},
                                                           {"/islands/2/population", Json::array()},
                                                           {"/islands/2/population/0", "0 0;" + std::string(20, ';')},
                                                           {"/islands/2/population/0", "99999;" + std::string(20, ';')},
                                                           {"/islands/3/population/11", ";"}};
  for (const auto& [at, value] : wrong) {
    Json document = sound;
    document["state"][Json::json_pointer(at)] = value;
    document["state_digest"] = digest(document["state"]);
    write_file(scratch_ / "c.json", pretty(document));
    expect_refused("c.json#/state: does not fit this search");
  }
}

TEST_F(Resuming, AnUnwritableCheckpointIsReportedBeforeTheSearch) {
  const ProgramResult ran = run({"--steps", "1", "--checkpoint", scratch_ / "no/c.json"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_FALSE(std::filesystem::exists(scratch_ / "d.json"));
}

}  // namespace
}  // namespace fnn::testing
