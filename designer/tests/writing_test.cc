// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/writing.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <iterator>

#include "base/problem.h"
#include "support.h"

namespace fnn::testing {
namespace {

TEST(Writing, ReplacesAFileAndLeavesNothingBesideIt) {
  const TemporaryDirectory scratch;
  write_file(scratch / "a", "old");
  write_atomically(scratch / "a", "new\n");
  EXPECT_EQ(read_file(scratch / "a"), "new\n");
  const auto files = std::filesystem::directory_iterator(scratch / "");
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);
}

TEST(Writing, LeavesAFileAloneThatHoldsTheTextAlready) {
  const TemporaryDirectory scratch;
  write_file(scratch / "a", "same");
  struct stat before{};
  struct stat after{};
  ASSERT_EQ(::stat((scratch / "a").c_str(), &before), 0);
  write_atomically(scratch / "a", "same");
  ASSERT_EQ(::stat((scratch / "a").c_str(), &after), 0);
  EXPECT_EQ(before.st_ino, after.st_ino);
}

TEST(Writing, HonorsTheUmask) {
  const TemporaryDirectory scratch;
  const mode_t before = ::umask(027);
  write_atomically(scratch / "a", "x");
  ::umask(before);
  struct stat file{};
  ASSERT_EQ(::stat((scratch / "a").c_str(), &file), 0);
  EXPECT_EQ(file.st_mode & 0777U, 0640U);
}

TEST(Writing, AFailureNamesTheFileAndLeavesNoTrace) {
  const TemporaryDirectory scratch;
  std::filesystem::create_directory(scratch / "a");
  EXPECT_THROW(write_atomically(scratch / "a", "x"), BadInput) << "a directory cannot be replaced";
  const auto files = std::filesystem::directory_iterator(scratch / "");
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);
}

}  // namespace
}  // namespace fnn::testing
