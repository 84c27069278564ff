// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/json_text.h"

#include <gtest/gtest.h>

#include "base/problem.h"

namespace fnn {
namespace {

// The output of Python 3.11 for json.dumps(json.loads(text), sort_keys=True, separators=(",", ":"),
// ensure_ascii=False), for each text on the left.
TEST(JsonText, WritesEveryValueAsPythonDoes) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {R"({"b": 1, "a": [true, false, null]})", R"({"a":[true,false,null],"b":1})"},
      {"[1.5, -0.25, 100.0, 1e3]", "[1.5,-0.25,100.0,1000.0]"},
      {"[1e15, 1e16, 1e22, 123456789012345678.0]", "[1000000000000000.0,1e+16,1e+22,1.2345678901234568e+17]"},
      {"[0.0001, 0.00001, 1.5e-7, 5e-324]", "[0.0001,1e-05,1.5e-07,5e-324]"},
      {"[0.1, 0.30000000000000004, 2.675, 1e100]", "[0.1,0.30000000000000004,2.675,1e+100]"},
      {"[18446744073709551615, -9223372036854775808]", "[18446744073709551615,-9223372036854775808]"},
      {R"(["\u00e4\u20ac", "\ud83d\ude00", "\u007f", "\/"])", "[\"ä€\",\"😀\",\"\x7f\",\"/\"]"},
      {R"(["\"\\\b\f\n\r\t\u0001\u001f"])", R"(["\"\\\b\f\n\r\t\u0001\u001f"])"},
      {R"({"é": 1, "z": 2, "": 3, "Z": 4})", R"({"":3,"Z":4,"z":2,"é":1})"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(compact(parse_json(text, "t")), expected);
}

TEST(JsonText, PrettyTextHasTwoBlanksOfIndentAndAFinalNewline) {
  EXPECT_EQ(pretty(parse_json(R"({"b": [], "a": {"x": [1, {}]}})", "t")),
            "{\n  \"a\": {\n    \"x\": [\n      1,\n      {}\n    ]\n  },\n  \"b\": []\n}\n");
}

TEST(JsonText, FloatsWithoutAFractionBecomeIntegersAsLongAsBothAreExact) {
  // 2^53 = 9007199254740992 is the last such float; the next greater one stays a float.
  const Json value = parse_json(R"({"a": [5.0, -0.0, 2.5, 9007199254740992.0, 9007199254740994.0], "b": 1e2})", "t");
  EXPECT_EQ(compact(with_integers(value)), R"({"a":[5,0,2.5,9007199254740992,9007199254740994.0],"b":100})");
}

TEST(JsonText, DuplicateKeysAreRejectedWithTheMessageOfPython) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {R"({"a": 1, "a": 2})", "a"},
      {R"({"b": 1, "a": {"ö": 1, "ö": 2}, "b": 3})", "ö"},
      {R"([{"x": 1}, {"x": {"z": 1, "y": 2, "y": 3, "z": 4}}])", "y"},
  };
  for (const auto& [text, key] : cases) {
    try {
      parse_json(text, "t");
      ADD_FAILURE() << text;
    } catch (const BadInput& error) {
      EXPECT_EQ(error.problems().front().message, "the key \"" + key + "\" is given twice in one object");
    }
  }
  EXPECT_NO_THROW(parse_json(R"([{"x": 1}, {"x": {"x": 1}}])", "t"));
}

TEST(JsonText, ShownNamesContainersByTypeAndWritesScalars) {
  EXPECT_EQ(shown(Json::array({1})), "an array");
  EXPECT_EQ(shown(Json("k\"0")), R"("k\"0")");
  EXPECT_EQ(shown(nullptr), "null");
}

}  // namespace
}  // namespace fnn
