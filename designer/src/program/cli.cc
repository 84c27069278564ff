// SPDX-License-Identifier: GPL-3.0-or-later
#include "program/cli.h"

#include <unistd.h>

#include <iostream>
#include <memory>
#include <new>
#include <string_view>

#include "base/problem.h"
#include "base/writing.h"
#include "program/answer.h"
#include "program/command_line.h"
#include "program/commands.h"
#include "program/launch.h"
#include "version.h"

namespace fnn {

namespace {

/// Exits instead of throwing: an exception from the destructor of a document, or in a thread, would abort
/// the program.
[[noreturn]] void exit_out_of_memory() {
  remove_temporary_file();
  constexpr std::string_view kLine = "fnn-designer: out of memory\n";
  [[maybe_unused]] const ssize_t wrote = ::write(STDERR_FILENO, kLine.data(), kLine.size());
  ::_exit(kInternalError);
}

/// Prints the help that was asked for, or what is wrong with the command line; the exit code.
int report(const CLI::ParseError& error, const CLI::App& app) {
  const bool has_command = !app.get_subcommands().empty();
  const bool is_help = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success);
  const std::string unknown = is_help && has_command ? "" : describe_unknown_word(app);
  if (unknown.empty()) return app.exit(error) == 0 ? kFound : kBadInput;
  std::cerr << unknown << "\n";
  return kBadInput;
}

/// Parses the command line and executes the subcommand; the exit code.
int execute(int argc, const char* const* argv) {
  Action action;
  CLI::App app(
      "Designs flat neighborhood networks: wirings in which any two nodes share a switch.\n\n"
      "Reads a spec (nodes, NICs, switches, ports) and writes a design (which NIC goes to which switch), both as\n"
      "JSON files. Answers are text on a terminal, and JSON in a pipe or with --json.",
      "fnn-designer");
  app.formatter(std::make_shared<HelpFormatter>());
  app.set_version_flag("--version", kEngine);
  app.require_subcommand(1);
  app.footer(
      "Examples:\n"
      "  fnn-designer design spec.json -o design.json\n"
      "  fnn-designer show design.json\n"
      "  fnn-designer design --help\n\n"
      "Exit codes: 0 found or valid, 1 invalid design, 2 bad input, 3 not found, 4 proved infeasible,\n"
      "70 internal error or out of memory.");
  add_design(app, action);
  add_check(app, action);
  add_spec(app, action);
  add_capacity(app, action);
  add_import(app, action);
  add_export(app, action);
  add_routes(app, action);
  add_evaluate(app, action);
  add_show(app, action);

  try {
    app.parse(argc, argv);
    return action();
  } catch (const CLI::ParseError& error) {
    return report(error, app);
  } catch (const BadInput& bad) {
    std::cerr << bad.what() << "\n";
    print(to_json(bad.problems()), [] { return ""; });  // they are on standard error
    return kBadInput;
  } catch (const std::exception& fault) {
    std::cerr << "fnn-designer: " << fault.what() << "\n";
    return kInternalError;
  }
}

}  // namespace

int run(int argc, const char* const* argv) {
  std::set_new_handler(exit_out_of_memory);
  const int status = execute(argc, argv);
  if (status != kFound) wait_for_leader();
  return status;
}

}  // namespace fnn
