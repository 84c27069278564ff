// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/reading.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/json_text.h"
#include "base/problem.h"

namespace fnn {

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  // An empty file sets the fail bit of `text`, which is no failure to read it.
  if (!file.is_open() || file.bad() || std::filesystem::is_directory(path)) {
    const int why = std::filesystem::is_directory(path) ? EISDIR : errno != 0 ? errno : EIO;
    throw BadInput({{file_name(path), std::string("cannot be read: ") + std::strerror(why)}});
  }
  return text.str();
}

}  // namespace fnn
