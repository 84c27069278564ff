// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/nearest_word.h"

#include <gtest/gtest.h>

namespace fnn::testing {
namespace {

TEST(NearestWord, IsTheOneWithTheFewestChanges) {
  const std::vector<std::string> known = {"design", "check", "show", "spec"};
  EXPECT_EQ(nearest_word("desing", known), "design") << "two letters swapped";
  EXPECT_EQ(nearest_word("chck", known), "check") << "a letter left out";
  EXPECT_EQ(nearest_word("shows", known), "show") << "a letter too many";
  EXPECT_EQ(nearest_word("spek", known), "spec") << "another letter";
  EXPECT_EQ(nearest_word("show", known), "show");
}

TEST(NearestWord, IsNoneIfMoreThanAThirdOfTheLettersDiffer) {
  EXPECT_EQ(nearest_word("draw", {"design", "show"}), std::nullopt);
  EXPECT_EQ(nearest_word("--frob", {"--grow", "--seed"}), std::nullopt) << "dashes are no letters";
  EXPECT_EQ(nearest_word("-x", {"-o", "-h"}), std::nullopt);
  EXPECT_EQ(nearest_word("", {"design"}), std::nullopt);
  EXPECT_EQ(nearest_word(std::string(1000, 'a'), {"design"}), std::nullopt);
}

}  // namespace
}  // namespace fnn::testing
