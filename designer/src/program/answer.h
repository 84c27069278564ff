// SPDX-License-Identifier: GPL-3.0-or-later
// The answer of a subcommand on standard output: JSON for programs, text for people at a terminal.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

#include "base/json_text.h"

namespace fnn {

/// Adds --json to a subcommand.
void add_json_flag(CLI::App& command, const std::string& description = "Print JSON also on a terminal");

/// Whether --json was given.
bool json_requested();

/// Whether the answer is for a person: standard output is a terminal, not that of mpirun, and --json was not given.
bool prints_text();

/// Prints `answer` as one line of JSON, or for a person what `text` returns.
void print(const Json& answer, const std::function<std::string()>& text);

}  // namespace fnn
