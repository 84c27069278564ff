// SPDX-License-Identifier: GPL-3.0-or-later
// For every document in tests/errors, a .log file beside it holds the exact lines that the program must print.
// tests/errors/spec is shared with the tests of the Python programs.
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>

#include "base/problem.h"
#include "support.h"

namespace fnn::testing {
namespace {

namespace fs = std::filesystem;

struct ErrorCase {
  fs::path document;
  std::string command;
  int code;
};

/// Names the case in the output of GoogleTest and CTest.
void PrintTo(const ErrorCase& one, std::ostream* out) { *out << one.command << " " << one.document.filename(); }

/// The subcommand for the documents of each directory, and its expected exit code.
std::vector<ErrorCase> error_cases() {
  const std::vector<ErrorCase> directories = {{"spec", "spec", 2},
                                              {"infeasible", "design", 4},
                                              {"design", "check", 1},
                                              {"design-unreadable", "check", 2}};
  std::vector<ErrorCase> cases;
  for (const ErrorCase& directory : directories) {
    for (const auto& entry : fs::directory_iterator(fs::path(FNN_ERROR_CASES) / directory.document)) {
      if (entry.path().extension() == ".json") cases.push_back({entry.path(), directory.command, directory.code});
    }
  }
  std::sort(cases.begin(), cases.end(), [](const auto& a, const auto& b) { return a.document < b.document; });
  return cases;
}

std::string case_name(const ::testing::TestParamInfo<ErrorCase>& info) {
  std::string name = info.param.document.parent_path().filename() / info.param.document.stem();
  std::replace_if(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

class Errors : public ::testing::TestWithParam<ErrorCase> {
 protected:
  ProgramResult run() {
    std::vector<std::string> arguments{GetParam().command, GetParam().document.string()};
    if (GetParam().command == "design") arguments.insert(arguments.end(), {"-o", scratch_ / "design.json"});
    return run_designer(arguments);
  }
  TemporaryDirectory scratch_;
};

TEST_P(Errors, PrintTheExpectedLines) {
  const ProgramResult ran = run();
  EXPECT_EQ(ran.code, GetParam().code);
  EXPECT_EQ(ran.err, read_file(fs::path(GetParam().document).replace_extension(".log")));
  EXPECT_FALSE(fs::exists(scratch_ / "design.json")) << "nothing may be written";
}

TEST_P(Errors, AreReportedAsJsonOnStandardOutput) {
  const ProgramResult ran = run();
  const Json answer = ran.answer();
  if (GetParam().code == 4) {
    EXPECT_EQ(answer["verdict"], "infeasible");
    EXPECT_GT(answer["certificate"]["needed"], answer["certificate"]["available"]);
    EXPECT_TRUE(ran.err.starts_with(answer["certificate"]["message"].get<std::string>()));
    return;
  }
  std::string lines;
  for (const Json& one : answer.contains("problems") ? answer["problems"] : answer["violations"]) {
    lines += Problem{one["at"], one["message"]}.line() + "\n";
  }
  EXPECT_EQ(lines, ran.err);
}

INSTANTIATE_TEST_SUITE_P(Documents, Errors, ::testing::ValuesIn(error_cases()), case_name);

}  // namespace
}  // namespace fnn::testing
