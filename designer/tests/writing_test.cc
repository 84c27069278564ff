// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/writing.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "base/problem.h"
#include "support.h"

namespace fnn::testing {
namespace {

TEST(Writing, ReplacesAFileAndLeavesNoTemporaryFile) {
  const TemporaryDirectory scratch;
  write_file(scratch / "a", "old");
  write_atomically(scratch / "a", "new\n");
  EXPECT_EQ(read_file(scratch / "a"), "new\n");
  const auto files = std::filesystem::directory_iterator(scratch / "");
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);
}

TEST(Writing, DoesNotReplaceAFileWithTheSameText) {
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

/// A named pipe replaces a device, so that the test cannot damage a device of the machine.
TEST(Writing, WritesIntoAPipeAndLeavesItInPlace) {
  const TemporaryDirectory scratch;
  const std::string pipe = scratch / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  write_atomically(pipe, "text");
  std::string got(8, '\0');
  got.resize(static_cast<std::size_t>(std::max<ssize_t>(0, ::read(reader, got.data(), got.size()))));
  ::close(reader);
  EXPECT_EQ(got, "text");
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
}

TEST(Writing, ASymbolicLinkStaysAndItsTargetIsReplaced) {
  const TemporaryDirectory scratch;
  std::filesystem::create_directory(scratch / "far");
  std::filesystem::create_symlink("far/a", scratch / "link");
  for (const char* text : {"made", "replaced"}) {
    write_atomically(scratch / "link", text);
    EXPECT_TRUE(std::filesystem::is_symlink(scratch / "link"));
    EXPECT_EQ(read_file(scratch / "far/a"), text);
  }
}

TEST(Writing, ACycleOfLinksIsAnError) {
  const TemporaryDirectory scratch;
  std::filesystem::create_symlink("b", scratch / "a");
  std::filesystem::create_symlink("a", scratch / "b");
  EXPECT_THROW(write_atomically(scratch / "a", "x"), BadInput);
}

TEST(Writing, AFullDeviceIsAnError) {
  try {
    write_atomically("/dev/full", "x");
    FAIL() << "nothing fits there";
  } catch (const BadInput& bad) {
    EXPECT_STREQ(bad.what(), "full: cannot be written: No space left on device");
  }
}

TEST(Writing, AnErrorLeavesNoTemporaryFile) {
  const TemporaryDirectory scratch;
  std::filesystem::create_directory(scratch / "a");
  EXPECT_THROW(write_atomically(scratch / "a", "x"), BadInput) << "a directory cannot be replaced";
  const auto files = std::filesystem::directory_iterator(scratch / "");
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);
}

}  // namespace
}  // namespace fnn::testing
