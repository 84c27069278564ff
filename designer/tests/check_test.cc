// SPDX-License-Identifier: GPL-3.0-or-later
// What check says about wrong designs is in tests/errors/design; this is about being independent.
#include "design/check.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support.h"

namespace fnn::testing {
namespace {

TEST(CheckTest, SharesNoCodeWithTheSearch) {
  const std::string source = read_file(std::filesystem::path(FNN_TEST_DATA) / "../../src/design/check.cc");
  for (const char* header : {"wiring.h", "evaluation.h", "neighborhoods.h", "operators.h", "genetic.h", "bitset.h",
                             "local_search.h", "port_limits.h", "cabling.h"}) {
    EXPECT_EQ(source.find(std::string("#include \"") + header), std::string::npos) << header;
  }
}

// Take any valid design and move any one cable to any other switch: 12 cables, 2 other switches.
// As every port and every pair counts in this design, the check must object to each.
TEST(CheckTest, ObjectsToEveryMisplacedCable) {
  const TemporaryDirectory scratch;
  run_designer({"design", std::string(FNN_TEST_DATA) + "/six.json", "-o", scratch / "design.json"});
  const Json good = read_json(scratch / "design.json");
  EXPECT_TRUE(check_design(read_design(good), std::nullopt).empty());
  int tried = 0;
  for (std::size_t i = 0; i < good["nodes"].size(); ++i) {
    for (std::size_t k = 0; k < 2; ++k) {
      for (const char* name : {"red", "blue", "green"}) {
        Json bad = good;
        if (bad["nodes"][i]["links"][k]["switch"] == name) continue;
        bad["nodes"][i]["links"][k]["switch"] = name;
        EXPECT_FALSE(check_design(read_design(bad), std::nullopt).empty()) << i << " " << k << " " << name;
        ++tried;
      }
    }
  }
  EXPECT_EQ(tried, 24);
}

}  // namespace
}  // namespace fnn::testing
