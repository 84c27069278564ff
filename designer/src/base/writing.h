// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace fnn {

/// Puts `text` into the file at `path` in one step: a reader, or a crash, sees the old file or the
/// new one and never a part. A file that holds the text already is left alone. Only regular files are
/// replaced: a symbolic link keeps its place, and a device, a pipe or this process's own standard
/// output is written to. Throws BadInput.
void write_atomically(const std::string& path, const std::string& text);

/// Removes what a write in progress has beside its target. For a signal handler that ends the process.
void drop_draft() noexcept;

}  // namespace fnn
