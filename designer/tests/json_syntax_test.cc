// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/json_syntax.h"

#include <gtest/gtest.h>

#include "base/json_text.h"
#include "base/problem.h"

namespace fnn {
namespace {

std::string place(const std::string& text) {
  const auto error = find_syntax_error(text);
  return error ? std::to_string(error->line) + ":" + std::to_string(error->column) : "fine";
}

TEST(JsonSyntax, FindsNothingInGoodText) {
  for (const char* text : {"{}", " [1, -2.5e+3, \"a\\u00e4\\ud83d\\ude00\"]\n", "null", "0", "\"\"", "[[],{\"a\":{}}]"}) {
    EXPECT_EQ(place(text), "fine") << text;
  }
}

// The positions are those of json.JSONDecodeError (lineno, colno) in Python 3.11.
TEST(JsonSyntax, PointsAtTheCharacterThatPythonPointsAt) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "1:1"},          {"  \n ", "2:2"},        {"{\"a\" 1}", "1:6"},  {"{\"a\": }", "1:7"},
      {"[1 2]", "1:4"},     {"[1,\n 2", "2:3"},      {"\"abc", "1:1"},      {"[\"a\nb\"]", "1:4"},
      {"01", "1:2"},        {"-", "1:1"},            {"1.", "1:2"},         {"1e", "1:2"},
      {"{} {}", "1:4"},     {"[\"\\x\"]", "1:3"},    {"tru", "1:1"},        {"{a: 1}", "1:2"},
      {"[\"\\u12\"]", "1:4"}, {"\xC3\xA4", "1:1"},   {"[\"\xC3\xA4\" 1]", "1:6"}, {"[", "1:2"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(place(text), expected) << text;
}

TEST(JsonSyntax, RejectsHalfASurrogatePair) {
  EXPECT_EQ(place("[\"\\ud83d\"]"), "1:3");
  EXPECT_EQ(place("[\"\\ude00\"]"), "1:3");
  EXPECT_EQ(place("[\"\\ud83d\\u0041\"]"), "1:3");
}

TEST(JsonSyntax, RejectsNestingThatCouldExhaustTheStack) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_EQ(place(nested(kDeepestNesting + 1)), "fine");
  EXPECT_NE(place(nested(kDeepestNesting + 2)), "fine");
  EXPECT_NE(place(std::string(1000000, '[')), "fine");
}

TEST(JsonSyntax, AcceptsOnlyWellFormedUtf8) {
  for (const char* text : {"", "a", "\xC3\xA4", "\xE2\x82\xAC", "\xF0\x9F\x98\x80"}) EXPECT_TRUE(is_utf8(text));
  for (const char* text : {"\xE4", "\xC3", "\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xFF", "a\x80"}) {
    EXPECT_FALSE(is_utf8(text)) << text;
  }
}

TEST(JsonSyntax, AcceptsOnlyTextThatTheLibraryReads) {
  // Replaces each character of a small document by each character of a set.
  const std::string good = R"({"a": [1, -2.5e3, "x\n\u00e4", true], "b": {"c": null}})";
  for (std::size_t i = 0; i < good.size(); ++i) {
    for (const char c : std::string("\",:[]{}019.-etn\\ ")) {
      std::string text = good;
      text[i] = c;
      if (find_syntax_error(text)) continue;
      EXPECT_FALSE(Json::parse(text, nullptr, false).is_discarded()) << text;
    }
  }
}

}  // namespace
}  // namespace fnn
