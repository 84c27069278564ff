// SPDX-License-Identifier: GPL-3.0-or-later
// The subcommands: each adds its options to the command line and says what it is to do.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "base/json_text.h"

namespace fnn {

/// What the chosen subcommand does once the whole command line has been read; gives the exit code.
using Action = std::function<int()>;

void add_design(CLI::App& app, Action& action);
void add_check(CLI::App& app, Action& action);
void add_spec(CLI::App& app, Action& action);
void add_capacity(CLI::App& app, Action& action);
void add_import(CLI::App& app, Action& action);
void add_export(CLI::App& app, Action& action);
void add_routes(CLI::App& app, Action& action);
void add_evaluate(CLI::App& app, Action& action);

/// One JSON object on one line of standard output: the answer of every subcommand.
void print(const Json& answer);

}  // namespace fnn
