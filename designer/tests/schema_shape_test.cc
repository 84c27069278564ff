// SPDX-License-Identifier: GPL-3.0-or-later
// The checks of whole specs are tested by tests/errors/spec.
#include "spec/schema_shape.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "spec/spec.h"
#include "spec/spec_shape.h"

namespace fnn::testing {
namespace {

std::string lines_of(const char* schema, const Json& value) {
  Problems problems;
  shape_of_schema(Json::parse(schema))(value, "", problems);
  std::string lines;
  for (const Problem& problem : problems.sorted()) lines += problem.line() + "\n";
  return lines;
}

TEST(SchemaShape, NamesTheRangeOfNumbers) {
  EXPECT_EQ(lines_of(R"({"type": "integer", "minimum": 1, "maximum": 9})", 0), "0 is not a positive integer\n");
  EXPECT_EQ(lines_of(R"({"type": "integer", "minimum": 0, "maximum": 9})", 10), "10 is more than 9\n");
  EXPECT_EQ(lines_of(R"({"type": "integer", "minimum": 2, "maximum": 9})", 1), "1 is not an integer from 2 to 9\n");
  EXPECT_EQ(lines_of(R"({"type": "number", "exclusiveMinimum": 0})", 0), "0 is not a positive number\n");
  EXPECT_EQ(lines_of(R"({"type": "number", "minimum": 0})", -1), "-1 is not a non-negative number\n");
  EXPECT_EQ(lines_of(R"({"type": "number"})", "low"), "\"low\" is not a number\n");
}

TEST(SchemaShape, LimitsPositiveNumbers) {
  const char* const rate = R"({"type": "number", "exclusiveMinimum": 0, "maximum": 9})";
  EXPECT_EQ(lines_of(rate, 9) + lines_of(rate, 0.001), "");
  EXPECT_EQ(lines_of(rate, 9.5), "9.5 is more than 9\n");
  EXPECT_EQ(lines_of(rate, 0), "0 is not a positive number\n");
}

TEST(SchemaShape, NamesAllTypesOfAUnion) {
  const char* const price = R"({"type": ["number", "null"], "minimum": 0})";
  EXPECT_EQ(lines_of(price, nullptr), "");
  EXPECT_EQ(lines_of(price, "x"), "expected a non-negative number or null, not a string\n");
  EXPECT_EQ(lines_of(R"({"type": ["string", "null"]})", 1), "expected a string or null, not an integer\n");
  const char* const ports =
      R"({"type": ["integer", "array"], "minimum": 1, "maximum": 9, "items": {"type": "string"}, "maxItems": 2})";
  EXPECT_EQ(lines_of(ports, "x"), "expected a positive integer or an array, not a string\n");
  const char* const nic = R"({"type": ["object", "string"], "properties": {"name": {"type": "string"}}})";
  EXPECT_EQ(lines_of(nic, "eth0") + lines_of(nic, {{"name", "eth0"}}), "");
  EXPECT_EQ(lines_of(nic, {{"name", 1}}), "/name: expected a string, not an integer\n");
  EXPECT_EQ(lines_of(nic, 1), "expected an object or a string, not an integer\n");
}

TEST(SchemaShape, FindsNestedKeys) {
  const char* const schema =
      R"({"type": "object", "properties": {"a": {"type": "boolean"}, "b": {"enum": ["x"]}}, "required": ["a"]})";
  EXPECT_EQ(lines_of(schema, {{"b", "y"}, {"c", 1}}),
            "/a: missing\n/b: \"y\" is not one of \"x\"\n/c: unknown key, expected one of a, b\n");
}

TEST(SchemaShape, RejectsASchemaBeyondItsKeywords) {
  for (const char* schema : {R"({"type": "integer", "minimum": 0, "multipleOf": 2})", R"({"type": ["string", "array"]})",
                             R"({"type": "string", "pattern": "^[A-Z]$"})"}) {
    EXPECT_THROW(shape_of_schema(Json::parse(schema)), std::logic_error) << schema;
  }
}

TEST(SchemaShape, OfASpecHasTheLimitsOfThisProgram) {
  const Json& keys = spec_schema()["properties"];
  EXPECT_EQ(keys["nodes"]["maxItems"], kMostSpecNodes);
  EXPECT_EQ(keys["cluster"]["pattern"], "^[a-z][a-z0-9-]{0," + std::to_string(kLongestCluster - 1) + "}$");
  EXPECT_EQ(keys["nodes"]["items"]["properties"]["name"]["pattern"],
            kHostNamePattern);
}

TEST(SchemaShape, AcceptsWhatIsAHostName) {
  const std::string longest(64, 'a');
  for (const std::string& name : {std::string("k00"), std::string("0k"), std::string("K_01"), std::string("a"),
                                  std::string("compute-0-0"), std::string("k01.rack-2.example.org"), longest}) {
    EXPECT_TRUE(is_host_name(name)) << name;
  }
  for (const std::string& name : {std::string(), std::string("101"), std::string("10.78.0.1"), std::string("-k"),
                                  std::string("k-"), std::string("k."), std::string(".k"), std::string("k..l"),
                                  std::string("k-.l"), std::string("k.-l"), std::string("k l"), std::string("kö"),
                                  longest + "a"}) {
    EXPECT_FALSE(is_host_name(name)) << name;
  }
}

}  // namespace
}  // namespace fnn::testing
