// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace fnn {

/// Writes `text` to the file at `path` atomically: a reader sees the old file or the new one, even
/// after a crash. A file that already holds the text is not changed. Only regular files are replaced:
/// a symbolic link stays, and a device, a pipe or this process's standard output is written to
/// directly. Throws BadInput.
void write_atomically(const std::string& path, const std::string& text);

/// Whether write_atomically() replaces the file at `path`, or creates it, instead of writing through.
bool is_replaced_by_writing(const std::string& path);

/// Removes the temporary file of a write in progress. For a signal handler that ends the process.
void remove_temporary_file() noexcept;

}  // namespace fnn
