// SPDX-License-Identifier: GPL-3.0-or-later
#include "export/name_ranges.h"

#include <gtest/gtest.h>

namespace fnn::testing {
namespace {

using Names = std::vector<std::string>;

TEST(NameRanges, JoinConsecutiveNumbers) {
  EXPECT_EQ(name_ranges({"k00", "k01", "k02", "k05"}), (Names{"k00-k02", "k05"}));
  EXPECT_EQ(name_ranges({"k8", "k9", "k10", "k11"}), (Names{"k8-k11"}));
  EXPECT_EQ(name_ranges({"k098", "k099", "k100"}), (Names{"k098-k100"}));
}

TEST(NameRanges, JoinNamesWithHyphensByAnEllipsis) {
  EXPECT_EQ(name_ranges({"compute-0-0", "compute-0-1", "compute-0-2"}), (Names{"compute-0-0…compute-0-2"}));
}

TEST(NameRanges, KeepOtherNamesAndOtherOrders) {
  EXPECT_EQ(name_ranges({"alice", "bob"}), (Names{"alice", "bob"}));
  EXPECT_EQ(name_ranges({"k1", "k0"}), (Names{"k1", "k0"}));
  EXPECT_EQ(name_ranges({"a1", "b2"}), (Names{"a1", "b2"}));
  EXPECT_EQ(name_ranges({"k09", "k010"}), (Names{"k09", "k010"}));
  EXPECT_EQ(name_ranges({}), Names{});
}

}  // namespace
}  // namespace fnn::testing
