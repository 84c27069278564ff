// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <filesystem>

#include "support.h"

namespace fnn::testing {
namespace {

std::string data_path(const std::string& name) { return std::string(FNN_TEST_DATA) + "/" + name; }

class Cli : public ::testing::Test {
 protected:
  /// Designs and returns the document.
  Json design(const std::string& spec, std::vector<std::string> more = {}) {
    std::vector<std::string> arguments{"design", spec, "-o", scratch_ / "design.json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    ran_ = run_designer(arguments);
    EXPECT_EQ(ran_.code, 0) << ran_.err;
    return read_json(scratch_ / "design.json");
  }
  std::string design_bytes() { return read_file(scratch_ / "design.json"); }

  TemporaryDirectory scratch_;
  ProgramResult ran_;
};

TEST_F(Cli, HelpNamesTheSubcommandsAndTheExitCodes) {
  const ProgramResult ran = run_designer({"--help"});
  EXPECT_EQ(ran.code, 0);
  for (const char* word : {"design", "check", "spec", "Exit codes: 0 found"}) {
    EXPECT_NE(ran.out.find(word), std::string::npos) << word;
  }
}

TEST_F(Cli, EverySubcommandHasADescriptionAndExamples) {
  const std::vector<std::string> commands = {"design", "check",  "spec",     "capacity", "import",
                                             "export", "routes", "evaluate", "show"};
  for (const std::string& command : commands) {
    const ProgramResult ran = run_designer({command, "--help"});
    EXPECT_EQ(ran.code, 0);
    EXPECT_NE(ran.out.find("\n\nReads "), std::string::npos) << command;
    EXPECT_NE(ran.out.find("Example"), std::string::npos) << command;
    EXPECT_NE(ran.out.find("\n  fnn-designer " + command + " "), std::string::npos) << command;
  }
}

TEST_F(Cli, AnUnknownWordIsNamedBeforeAMissingOption) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> lines = {
      {{"desing"}, "desing: unknown subcommand; did you mean design?"},
      {{"desing", "spec.json", "-o", "d"}, "desing: unknown subcommand; did you mean design?"},
      {{"desing", "--help"}, "desing: unknown subcommand; did you mean design?"},
      {{"draw"}, "draw: unknown subcommand; fnn-designer --help lists all"},
      {{"--frob"}, "--frob: unknown option of fnn-designer; fnn-designer --help lists all"},
      {{"design", "--frob", "spec.json"},
       "--frob: unknown option of fnn-designer design; fnn-designer design --help lists all"},
      {{"design", "--ouput=d", "spec.json"}, "--ouput: unknown option of fnn-designer design; did you mean --output?"},
      {{"check", "a.json", "b.json"}, "b.json: one argument too many; fnn-designer check takes only DESIGN"},
      {{"capacity", "3"}, "3: one argument too many; fnn-designer capacity takes options only"}};
  for (const auto& [words, line] : lines) {
    const ProgramResult ran = run_designer(words);
    EXPECT_EQ(ran.code, 2) << line;
    EXPECT_EQ(ran.err, line + "\n");
    EXPECT_EQ(ran.out, "");
  }
  EXPECT_EQ(run_designer({"design", "spec.json"}).err, "--output is required\nRun with --help for more information.\n");
}

TEST_F(Cli, JsonInAPipeIsTheSameWithAndWithoutItsOption) {
  design(data_path("six.json"));
  const std::string made = scratch_ / "design.json";
  const std::vector<std::vector<std::string>> commands = {
      {"check", made}, {"spec", data_path("six.json")}, {"routes", made, "-o", scratch_ / "r"},
      {"evaluate", made, "-o", scratch_ / "e", "--patterns", "10"}, {"capacity", "--format", "json", "--ports", "4"}};
  for (std::vector<std::string> words : commands) {
    const std::string plain = run_designer(words).out;
    EXPECT_EQ(plain[0], '{') << words[0];
    words.emplace_back("--json");
    EXPECT_EQ(run_designer(words).out, plain) << words[0];
  }
}

TEST_F(Cli, ShowPrintsTextAlsoInAPipe) {
  design(data_path("six.json"));
  const ProgramResult text = run_designer({"show", scratch_ / "design.json"});
  EXPECT_EQ(text.code, 0);
  EXPECT_TRUE(text.out.starts_with("six: 6 nodes with 2 NICs, ")) << text.out;
  EXPECT_EQ(run_designer({"show", scratch_ / "design.json", "--json"}).answer()["wiring"].size(), 6U);
}

TEST_F(Cli, ShowRefusesADesignWithViolations) {
  Json wrong = design(data_path("six.json"));
  wrong["nodes"][0]["links"][0]["nic"] = 7;
  write_file(scratch_ / "wrong.json", pretty(wrong));
  EXPECT_EQ(run_designer({"show", scratch_ / "wrong.json"}).code, 2);
}

TEST_F(Cli, TheSpecOfAMaintenanceNetworkCanBeDesigned) {
  Json spec = read_json(data_path("six.json"));
  EXPECT_EQ(run_designer({"spec", data_path("six.json"), "--maintenance"}).code, 2) << "it has no such network";
  spec["maintenance"] = {{"nic", "eno1"}, {"switches", {{{"name", "grey"}, {"ports", 4}}, {{"name", "white"}, {"ports", 4}}}}};
  write_file(scratch_ / "both.json", pretty(spec));
  EXPECT_EQ(run_designer({"spec", scratch_ / "both.json", "--maintenance", "-o", scratch_ / "own.json"}).code, 0);
  EXPECT_EQ(design(scratch_ / "own.json")["trunks"].size(), 1U);
  EXPECT_FALSE(design(scratch_ / "both.json")["spec"].contains("maintenance")) << "a design is of the fabric alone";
}

TEST_F(Cli, VersionIsThatOfTheProject) {
  const ProgramResult ran = run_designer({"--version"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.out, "fnn-designer " FNN_VERSION "\n");
}

TEST_F(Cli, AWrongCommandLineIsBadInput) {
  EXPECT_EQ(run_designer({}).code, 2);
  EXPECT_EQ(run_designer({"draw"}).code, 2);
  EXPECT_EQ(run_designer({"design", data_path("six.json")}).code, 2) << "-o is missing";
  EXPECT_EQ(run_designer({"design", data_path("six.json"), "-o", scratch_ / "d", "--seed", "-1"}).code, 2);
  EXPECT_EQ(run_designer({"design", data_path("six.json"), "-o", scratch_ / "d", "--threads", "0"}).code, 2);
}

TEST_F(Cli, NumbersOutsideTheirBoundsAreBadInput) {
  const std::string spec = data_path("six.json");
  const std::vector<std::vector<std::string>> outside = {
      {"--time-limit", "nan"}, {"--time-limit", "inf"}, {"--time-limit", "-1"}, {"--time-limit", "1e10"},
      {"--steps", "0"}, {"--steps", "1000000000001"}, {"--threads", "1025"}, {"--islands", "1025"},
      {"--headroom", "10000000"}, {"--headroom", "-1"}, {"--seed", "9223372036854775808"},
      {"--near", spec, "--near-weight", "nan"}, {"--near", spec, "--near-weight", "inf"},
      {"--checkpoint", scratch_ / "c", "--checkpoint-every", "nan"}};
  for (const auto& options : outside) {
    std::vector<std::string> arguments{"design", spec, "-o", scratch_ / "d"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const ProgramResult ran = run_designer(arguments);
    const std::string& option = options[options.size() - 2];
    EXPECT_EQ(ran.code, 2) << option << " " << options.back();
    EXPECT_TRUE(ran.err.starts_with(option + ": " + options.back() + " is not a number from ")) << ran.err;
  }
}

TEST_F(Cli, NumbersOfOtherSubcommandsHaveBounds) {
  design(data_path("six.json"));
  const std::string standing = scratch_ / "design.json";
  for (const char* threads : {"0", "1025", "18446744073709551615"}) {
    EXPECT_EQ(run_designer({"evaluate", standing, "-o", scratch_ / "e", "--threads", threads}).code, 2) << threads;
  }
  EXPECT_EQ(run_designer({"evaluate", standing, "-o", scratch_ / "e", "--patterns", "nan"}).code, 2);
  EXPECT_EQ(run_designer({"routes", standing, "-o", scratch_ / "r", "--seed", "nan"}).code, 2);
  EXPECT_EQ(run_designer({"export", standing, "--seed", "-1"}).code, 2);
}

TEST_F(Cli, HeadroomBeyondTheNodesOfASpecIsBadInput) {
  const ProgramResult ran = run_designer({"design", data_path("six.json"), "-o", scratch_ / "d",
                                          "--headroom", "16384"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.err, "--headroom: 6 nodes and 16384 more are too many, a spec has at most 16384 nodes\n");
}

TEST_F(Cli, EndlessFilesAreBadInput) {
  const std::string larger = "larger than 256 MiB\n";
  EXPECT_EQ(run_designer({"spec", "/dev/zero"}).err, "zero: cannot be read: " + larger);
  EXPECT_EQ(run_designer({"import", "/dev/zero", "-o", scratch_ / "d"}).code, 2);
  design(data_path("six.json"));
  const ProgramResult ran = run_designer({"check", scratch_ / "design.json", "--pairs", "/dev/zero"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.err, "zero: cannot be read: " + larger);
}

TEST_F(Cli, OutOfMemoryPrintsOneLineAndExitsWith70) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the address sanitizer reserves more than the limit";
#endif
  std::string zeros(100U << 20U, '[');
  write_file(scratch_ / "deep.json", "[\"" + zeros + "\"]");
  const std::string limited = "ulimit -v 200000; exec " FNN_DESIGNER " spec " + scratch_ / "deep.json";
  const ProgramResult ran = BackgroundProgram({"/bin/sh", "-c", limited}).wait();
  EXPECT_EQ(ran.code, 70);
  EXPECT_EQ(ran.err, "fnn-designer: out of memory\n");
}

TEST_F(Cli, TheOutputMayBeADeviceOrStandardOutput) {
  const ProgramResult null = run_designer({"spec", data_path("six.json"), "-o", "/dev/null"});
  EXPECT_EQ(null.code, 0) << null.err;
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  const ProgramResult ran = run_designer({"spec", data_path("six.json"), "-o", "/dev/stdout"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.out, run_designer({"spec", data_path("six.json")}).out);
}

TEST_F(Cli, AMissingFileIsBadInput) {
  const ProgramResult ran = run_designer({"spec", scratch_ / "nothing.json"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.err, "nothing.json: cannot be read: No such file or directory\n");
}

TEST_F(Cli, ADirectoryIsBadInput) {
  const ProgramResult ran = run_designer({"spec", scratch_ / ""});
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find("cannot be read: Is a directory"), std::string::npos);
}

TEST_F(Cli, AnUnwritableOutputIsBadInput) {
  const ProgramResult ran = run_designer({"design", data_path("six.json"), "-o", scratch_ / "no/design.json"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.err, "design.json: cannot be written: No such file or directory\n");
}

// Seed paper, section 2: A and B on switches 0 and 1, C and D on 0 and 2, E and F on 1 and 2.
TEST_F(Cli, SixNodesAreWiredAsInThePaper) {
  const Json document = design(data_path("six.json"));
  const std::vector<std::vector<std::string>> paper = {{"red", "blue"},  {"red", "blue"},   {"red", "green"},
                                                       {"red", "green"}, {"blue", "green"}, {"blue", "green"}};
  for (std::size_t i = 0; i < paper.size(); ++i) {
    const Json& links = document["nodes"][i]["links"];
    ASSERT_EQ(links.size(), 2U);
    for (std::size_t nic = 0; nic < 2; ++nic) {
      EXPECT_EQ(links[nic]["nic"], nic);
      EXPECT_EQ(links[nic]["switch"], paper[i][nic]);
    }
  }
  EXPECT_EQ(ran_.answer()["verdict"], "found");
  EXPECT_EQ(ran_.answer()["uncovered"], 0);
}

TEST_F(Cli, SixNodesAreWiredAlikeForEverySeed) {
  const Json first = design(data_path("six.json"))["nodes"];
  for (int seed = 2; seed < 12; ++seed) {
    EXPECT_EQ(design(data_path("six.json"), {"--seed", std::to_string(seed)})["nodes"], first) << "seed " << seed;
  }
}

// 6 nodes have 15 pairs. 12 links on three switches of 4 ports give 3 * 6 = 18 shared switches over all
// pairs, so 3 pairs share two.
TEST_F(Cli, QualityOfSixNodesIsAsComputedByHand) {
  const Json quality = design(data_path("six.json"))["quality"];
  EXPECT_EQ(quality, Json::parse(R"({"pairs": 15, "uncovered": 0, "shared": {"1": 12, "2": 3}, "links": 12,
                                      "unused_nics": 0, "unused_ports": 0, "min_shared": 1, "mean_shared": 1.2,
                                      "exposed": 12, "peak_load": 1.0})"));
}

TEST_F(Cli, EveryCommittedSpecIsSolvedAndPassesTheCheck) {
  for (const char* name : {"six", "eight", "klat2", "fano64", "plane64", "hard128", "rails"}) {
    design(data_path(std::string(name) + ".json"));
    const ProgramResult ran = run_designer({"check", scratch_ / "design.json"});
    EXPECT_EQ(ran.code, 0) << name << "\n" << ran.err;
    EXPECT_EQ(ran.answer()["verdict"], "valid");
    EXPECT_EQ(ran.err, "");
  }
}

TEST_F(Cli, TheDesignIsWrittenAsPythonWouldWriteIt) {
  const Json document = design(data_path("six.json"));
  EXPECT_EQ(design_bytes(), pretty(document));
  EXPECT_TRUE(design_bytes().starts_with("{\n  \"bounds\": {\n    \"degree\": {\n      \"available\": 6,\n"));
}

TEST_F(Cli, TheDesignDoesNotDependOnTheThreads) {
  for (const char* name : {"klat2.json", "plane64.json", "hard128.json"}) {
    for (const char* seed : {"1", "7"}) {
      design(data_path(name), {"--seed", seed, "--threads", "1"});
      const std::string one = design_bytes();
      design(data_path(name), {"--seed", seed, "--threads", "2"});
      EXPECT_EQ(design_bytes(), one) << name << " seed " << seed;
      design(data_path(name), {"--seed", seed, "--threads", "8"});
      EXPECT_EQ(design_bytes(), one) << name << " seed " << seed;
    }
  }
}

TEST_F(Cli, MorePinsThanPortsAreRejected) {
  Json spec = plain_spec(6, 2, 3, 5);
  spec["switches"][1]["ports"] = 2;
  for (const char* node : {"n000", "n001", "n002"}) {
    spec["pinned"].push_back({{"node", node}, {"nic", 0}, {"switch", "s01"}});
  }
  write_file(scratch_ / "spec.json", pretty(spec));
  const ProgramResult ran = run_designer({"design", scratch_ / "spec.json", "-o", scratch_ / "d.json"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.answer()["problems"],
            Json::parse(R"([{"at": "/pinned/2",
                             "message": "3 cables pinned to s01 by now, but it has only 2 ports for nodes"}])"));
  EXPECT_FALSE(std::filesystem::exists(scratch_ / "d.json"));
}

/// In the old wiring of six nodes three pairs share both switches; the goals now value three other pairs.
class Curve : public Cli {
 protected:
  Curve() {
    design(data_path("six.json"));
    write_file(scratch_ / "old.json", design_bytes());
    Json spec = read_json(scratch_ / "old.json")["spec"];
    const auto name = [&](std::size_t node) { return spec["nodes"][node]["name"]; };
    const Json pairs = Json::array({{name(0), name(5)}, {name(1), name(3)}, {name(2), name(4)}});
    spec["goals"] = {{"shared_switches", 1}, {"evaluation", {{"pairs", pairs}}}};
    write_file(scratch_ / "spec.json", pretty(spec));
  }

  ProgramResult draw(const std::string& file, const char* time_limit, std::vector<std::string> more = {}) {
    std::vector<std::string> arguments{"design", scratch_ / "spec.json", "--near", scratch_ / "old.json", "-o",
                                       scratch_ / "design.json", "--time-limit", time_limit, "--curve", file};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_designer(arguments);
  }
};

TEST_F(Curve, ListsMovedCablesAgainstSharedSwitches) {
  // By steps, as a busy processor finds nothing in a few seconds.
  const ProgramResult ran = draw(scratch_ / "curve.json", "1000", {"--steps", "1", "--islands", "1"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Json curve = read_json(scratch_ / "curve.json");
  ASSERT_GE(curve.size(), 2U) << "to move nothing, and to move a cable of each pair";
  EXPECT_EQ(curve.front()["moved"], 0);
  EXPECT_EQ(curve.front()["mean_shared_switches"], 1.0) << "of the valued pairs, as they stand";
  EXPECT_EQ(curve.back()["mean_shared_switches"], 2.0) << "all that two NICs allow";
  for (std::size_t i = 0; i < curve.size(); ++i) {
    EXPECT_EQ(curve[i]["moved"].get<int>() + curve[i]["kept"].get<int>(), 12) << "six nodes with two cables";
    if (i == 0) continue;
    EXPECT_GT(curve[i]["moved"], curve[i - 1]["moved"]);
    EXPECT_GT(curve[i]["mean_shared_switches"], curve[i - 1]["mean_shared_switches"]);
  }
  EXPECT_TRUE(ran.err.starts_with("moved  kept  shared switches  weight\n    0    12            1.000"));
  EXPECT_FALSE(ran.answer().contains("curve"));
}

TEST_F(Curve, ADashAddsTheCurveToTheAnswer) {
  const ProgramResult ran = draw("-", "3");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.answer()["verdict"], "found") << "one document with the whole answer";
  EXPECT_EQ(ran.answer()["curve"].front()["moved"], 0);
  EXPECT_EQ(ran.err, "");
  EXPECT_FALSE(std::filesystem::exists("-"));
}

TEST_F(Curve, RequiresARedesign) {
  const ProgramResult ran = run_designer({"design", data_path("six.json"), "-o", scratch_ / "d.json", "--curve", "-"});
  EXPECT_EQ(ran.code, 2);
}

// There is no design, but no bound rules it out, so every search for one ends early.
TEST_F(Cli, ASearchThatEndsEarlyWritesItsBestDesignAndReportsNotFound) {
  write_file(scratch_ / "spec.json", pretty(open_spec()));
  std::string bytes;
  for (const char* threads : {"1", "2"}) {
    const ProgramResult ran = run_designer(
        {"design", scratch_ / "spec.json", "-o", scratch_ / "d.json", "--steps", "2", "--threads", threads});
    EXPECT_EQ(ran.code, 3);
    EXPECT_EQ(ran.answer()["verdict"], "not-found");
    EXPECT_EQ(ran.answer()["generations"], 2);
    const Json document = read_json(scratch_ / "d.json");
    EXPECT_EQ(document["verdict"], "not-found");
    EXPECT_EQ(document["uncovered"].size(), ran.answer()["uncovered"]);
    EXPECT_GT(document["uncovered"].size(), 0U);
    if (!bytes.empty()) {
      EXPECT_EQ(read_file(scratch_ / "d.json"), bytes);
    }
    bytes = read_file(scratch_ / "d.json");
  }
}

TEST_F(Cli, CheckListsTheUncoveredPairsOfANotFoundDesign) {
  write_file(scratch_ / "spec.json", pretty(open_spec()));
  run_designer({"design", scratch_ / "spec.json", "-o", scratch_ / "d.json", "--steps", "1"});
  const Json document = read_json(scratch_ / "d.json");
  const ProgramResult ran = run_designer({"check", scratch_ / "d.json"});
  EXPECT_EQ(ran.code, 1);
  EXPECT_EQ(ran.answer()["violations"].size(), document["uncovered"].size());
}

TEST_F(Cli, CheckWithPairsRequiresOnlyThosePairs) {
  const std::string errors = FNN_ERROR_CASES;
  // In this design k00 shares no switch with k04 and k05, and lists both pairs as uncovered.
  const std::string design = errors + "/design/uncovered-pairs-listed.json";
  write_file(scratch_ / "good", "# neighbors\nk00 k01\nk02, k03\n\n");
  EXPECT_EQ(run_designer({"check", design, "--pairs", scratch_ / "good"}).code, 0);
  write_file(scratch_ / "bad", "k00 k01\nk04 k00\n");
  const ProgramResult ran = run_designer({"check", design, "--pairs", scratch_ / "bad"});
  EXPECT_EQ(ran.code, 1);
  EXPECT_EQ(ran.err, "/uncovered/0: k00 and k04 share no switch\n");
}

TEST_F(Cli, APairsFileWithErrorsIsBadInput) {
  const std::string design = std::string(FNN_ERROR_CASES) + "/design/uncovered-pairs-listed.json";
  write_file(scratch_ / "pairs", "k00 k99\nk01\n");
  const ProgramResult ran = run_designer({"check", design, "--pairs", scratch_ / "pairs"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.err,
            "pairs line 1: \"k99\" is not the name of a node\npairs line 2: expected two node names, not 1\n");
}

TEST_F(Cli, SpecPrintsTheNormalFormWhichIsIdempotent) {
  const ProgramResult once = run_designer({"spec", data_path("six.json")});
  EXPECT_EQ(once.code, 0);
  write_file(scratch_ / "normal.json", once.out);
  EXPECT_EQ(run_designer({"spec", scratch_ / "normal.json"}).out, once.out);
  EXPECT_EQ(run_designer({"spec", data_path("six.json"), "-o", scratch_ / "written.json"}).out, "");
  EXPECT_EQ(read_file(scratch_ / "written.json"), once.out);
}

TEST_F(Cli, NearKeepsEveryCableOfADesignThatStillMeetsTheDemand) {
  const Json old = design(data_path("klat2.json"));
  const std::string before = scratch_ / "old.json";
  write_file(before, pretty(old));
  const Json again = design(data_path("klat2.json"), {"--near", before, "--seed", "5"});
  EXPECT_EQ(again["nodes"], old["nodes"]);
  EXPECT_EQ(again["quality"]["kept_links"], old["quality"]["links"]);
  EXPECT_EQ(ran_.answer()["stage"], "kept");
}

TEST_F(Cli, NearNamesTheOldFileInItsProblems) {
  Json old = design(data_path("six.json"));
  old["spec"]["nodes"][0]["rack"] = "r1";
  write_file(scratch_ / "old.json", pretty(old));
  const ProgramResult ran = run_designer(
      {"design", data_path("six.json"), "-o", scratch_ / "new.json", "--near", scratch_ / "old.json"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_TRUE(ran.err.starts_with("old.json#/spec_digest: sha256:")) << ran.err;
}

}  // namespace
}  // namespace fnn::testing
