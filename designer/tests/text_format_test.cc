// SPDX-License-Identifier: GPL-3.0-or-later
#include "program/text_format.h"

#include <gtest/gtest.h>

#include "base/problem.h"
#include "support.h"

namespace fnn::testing {
namespace {

const char* const kSixText = "red: a1 a2 a3 a4\nblue: a1 a2 a5 a10\ngreen: a3 a4 a5 a10\n";

std::string problems_of(const std::string& text) {
  try {
    parse_text_design(text, "old", "c");
  } catch (const BadInput& bad) {
    return bad.what();
  }
  return "";
}

TEST(TextFormat, NodesAreInNaturalOrder) {
  const TextDesign design = parse_text_design(kSixText, "old", "six");
  ASSERT_EQ(design.spec["nodes"].size(), 6U);
  EXPECT_EQ(design.spec["nodes"][5]["name"], "a10");
  EXPECT_EQ(design.spec["nodes"][5]["nics"], 2);
  EXPECT_EQ(design.spec["switches"][1], Json::parse(R"({"name": "blue", "ports": 4})"));
  EXPECT_EQ(design.cabling[5], (std::vector<Cable>{{0, 1}, {1, 2}}));
}

TEST(TextFormat, CommentsAndEmptyLinesAreIgnored) {
  EXPECT_EQ(parse_text_design("# six\n\nred: a1 a2 # two\n", "old", "c").spec["nodes"].size(), 2U);
}

TEST(TextFormat, ReportsEveryErrorWithFileAndLine) {
  EXPECT_EQ(problems_of("red: a1 a1 -A\nred: a1\nnothing\n"),
            "old line 1: \"a1\" is on this switch already\n"
            "old line 1: \"-A\" is not a host name: letters (at least one), digits, hyphens, underscores and dots, at most 64 "
            "characters; it and each part between dots begins and ends with a letter or digit, such as compute-0-0 or "
            "k01.example.org\n"
            "old line 2: \"red\" is already the switch of line 1\n"
            "old line 3: expected \"switch: node node ...\"");
  EXPECT_EQ(problems_of("red: a1 a2\na1: a2\n"), "old line 2: \"a1\" is also the name of a node");
  EXPECT_EQ(problems_of(""), "old: expected at least two nodes");
}

TEST(TextFormat, ImportMeasuresAndExportGivesTheSameText) {
  const TemporaryDirectory scratch;
  write_file(scratch / "six.txt", kSixText);
  const ProgramResult import = run_designer({"import", "--format", "text", scratch / "six.txt",
                                             "-o", scratch / "six.json"});
  EXPECT_EQ(import.code, 0) << import.err;
  EXPECT_EQ(import.answer()["verdict"], "found");
  EXPECT_EQ(run_designer({"check", scratch / "six.json"}).code, 0);
  EXPECT_EQ(run_designer({"export", "--format", "text", scratch / "six.json"}).out, kSixText);
}

TEST(TextFormat, ImportOfAWiringWithUncoveredPairsReportsNotFound) {
  const TemporaryDirectory scratch;
  write_file(scratch / "two.txt", "red: a1 a2\nblue: a2 a3\n");
  const ProgramResult import = run_designer({"import", scratch / "two.txt", "-o", scratch / "two.json"});
  EXPECT_EQ(import.code, 3);
  EXPECT_EQ(read_json(scratch / "two.json")["uncovered"], Json::parse(R"([["a1", "a3"]])"));
}

TEST(TextFormat, ExportAndImportRestoreTheDesign) {
  const TemporaryDirectory scratch;
  ASSERT_EQ(run_designer({"capacity", "--witness", "7,4", "-o", scratch / "d.json"}).code, 0);
  ASSERT_EQ(run_designer({"export", scratch / "d.json", "-o", scratch / "d.txt"}).code, 0);
  ASSERT_EQ(run_designer({"import", scratch / "d.txt", "-o", scratch / "e.json"}).code, 0);
  EXPECT_EQ(run_designer({"export", scratch / "e.json"}).out, read_file(scratch / "d.txt"));
  EXPECT_EQ(read_json(scratch / "e.json")["nodes"], read_json(scratch / "d.json")["nodes"]);
}

}  // namespace
}  // namespace fnn::testing
