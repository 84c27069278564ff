// SPDX-License-Identifier: GPL-3.0-or-later
// The subcommands: each adds its options to the command line and sets its action.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace fnn {

/// Executes the chosen subcommand after the whole command line is parsed; returns the exit code.
using Action = std::function<int()>;

void add_design(CLI::App& app, Action& action);
void add_check(CLI::App& app, Action& action);
void add_spec(CLI::App& app, Action& action);
void add_capacity(CLI::App& app, Action& action);
void add_import(CLI::App& app, Action& action);
void add_export(CLI::App& app, Action& action);
void add_routes(CLI::App& app, Action& action);
void add_evaluate(CLI::App& app, Action& action);
void add_show(CLI::App& app, Action& action);

}  // namespace fnn
