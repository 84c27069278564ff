// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/text_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace fnn::testing {
namespace {

std::size_t widest_line(const std::string& text) {
  std::istringstream lines(text);
  std::size_t widest = 0;
  for (std::string line; std::getline(lines, line);) widest = std::max(widest, line.size());
  return widest;
}

TEST(TextTable, AlignsColumnsByCharactersAndEndsLinesWithoutSpaces) {
  EXPECT_EQ(text_table({{"node", "NIC 0"}, {"k00", "grün"}, {"k0", ""}}), "node  NIC 0\nk00   grün\nk0\n");
  EXPECT_EQ(text_table({{"ü", "x"}, {"ab", "y"}}), "ü   x\nab  y\n");
  EXPECT_EQ(text_table({}), "");
}

TEST(TextTable, WideTablesContinueBelow) {
  Row head{"node"};
  Row row{"k00"};
  for (int i = 0; i < 12; ++i) {
    head.push_back("NIC " + std::to_string(i));
    row.push_back("abcdefghijklmno");
  }
  const std::string text = text_table({head, row});
  EXPECT_LE(widest_line(text), kTextWidth);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3 * 2 + 2) << text;
  EXPECT_NE(text.find("\n\nnode  NIC 5"), std::string::npos) << text;
}

TEST(TextTable, ListsAreWrappedBesideTheirRow) {
  EXPECT_EQ(text_lists({{"red", "2 of 4"}, {"green", "0 of 4"}}, {{"k0", "k1"}, {}}),
            "red    2 of 4  k0 k1\ngreen  0 of 4\n");
  const std::string text = text_lists({{"red"}}, {Row(60, "k00")});
  EXPECT_LE(widest_line(text), kTextWidth);
  EXPECT_NE(text.find("\n     k00"), std::string::npos) << text;
}

TEST(TextTable, ListsAreBelowTheirRowIfThereIsNoRoomBesideIt) {
  const std::string text = text_lists({{std::string(80, 'x')}}, {{std::string(31, 'y'), "z"}});
  EXPECT_EQ(text, std::string(80, 'x') + "\n    " + std::string(31, 'y') + " z\n");
}

TEST(TextTable, ForeignTextHasNoControlCharacters) {
  EXPECT_EQ(plain_text("\x1b[31mü\n", 15), "?[31mü?");
  EXPECT_EQ(plain_text("üüü", 2), "üü");
}

TEST(TextTable, NumbersAreShort) { EXPECT_EQ(short_number(1.203367) + " " + short_number(2.0), "1.203 2"); }

}  // namespace
}  // namespace fnn::testing
