// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/problem.h"

#include <gtest/gtest.h>

namespace fnn {
namespace {

TEST(Problem, AreSortedInDocumentOrder) {
  Problems problems;
  for (const char* at : {"/switches", "/nodes/10/nics", "/nodes/9/nics", "/nodes", "", "/nodes/9", "/cluster"}) {
    problems.add(at, "wrong");
  }
  std::vector<std::string> order;
  for (const Problem& problem : problems.sorted()) order.push_back(problem.at);
  EXPECT_EQ(order, (std::vector<std::string>{"", "/cluster", "/nodes", "/nodes/9", "/nodes/9/nics", "/nodes/10/nics",
                                             "/switches"}));
}

TEST(Problem, WithoutAPointerIsOnlyItsMessage) {
  EXPECT_EQ((Problem{"", "expected an object, not null"}).line(), "expected an object, not null");
  EXPECT_EQ((Problem{"/nodes", "missing"}).line(), "/nodes: missing");
}

TEST(Problem, PointersEscapeTheirSeparators) { EXPECT_EQ(child("/a", std::string("b/c~d")), "/a/b~1c~0d"); }

TEST(Problem, CountsHaveTheRightPlural) {
  EXPECT_EQ(counted(1, "port"), "1 port");
  EXPECT_EQ(counted(0, "port"), "0 ports");
  EXPECT_EQ(counted(3, "switch"), "3 switches");
}

}  // namespace
}  // namespace fnn
