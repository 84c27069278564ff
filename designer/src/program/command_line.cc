// SPDX-License-Identifier: GPL-3.0-or-later
#include "program/command_line.h"

#include "base/nearest_word.h"

namespace fnn {
namespace {

std::vector<std::string> names_of_options(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

std::vector<std::string> names_of_arguments(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional()) names.push_back(option->get_name(true));
  }
  return names;
}

std::vector<std::string> names_of_commands(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

std::string suggest(const std::string& word, const std::vector<std::string>& known, const std::string& program) {
  const auto near = nearest_word(word, known);
  return near ? "did you mean " + *near + "?" : program + " --help lists all";
}

/// `command` is null for words before a subcommand.
std::string describe_word(const std::string& word, const CLI::App& app, const CLI::App* command) {
  const std::string program = app.get_name() + (command == nullptr ? "" : " " + command->get_name());
  const CLI::App& owner = command == nullptr ? app : *command;
  if (word.size() > 1 && word[0] == '-') {
    const std::string name = word.substr(0, word.find('='));
    return name + ": unknown option of " + program + "; " + suggest(name, names_of_options(owner), program);
  }
  if (command == nullptr) return word + ": unknown subcommand; " + suggest(word, names_of_commands(app), program);
  std::string arguments;
  for (const std::string& name : names_of_arguments(owner)) arguments += " " + name;
  return word + ": one argument too many; " + program + " takes" + (arguments.empty() ? " options only" : " only" + arguments);
}

}  // namespace

std::string HelpFormatter::make_subcommand(const CLI::App* command) const {
  const std::string description = command->get_description();
  return "  " + command->get_name() + std::string(command->get_name().size() < 12 ? 12 - command->get_name().size() : 1, ' ') +
         description.substr(0, description.find('\n')) + "\n";
}

CLI::App* add_command(CLI::App& app, const std::string& name, const CommandHelp& help) {
  CLI::App* command = app.add_subcommand(name, help.summary + "\n\n" + help.details);
  std::string footer = help.examples.size() == 1 ? "Example:" : "Examples:";
  for (const std::string& example : help.examples) footer += "\n  " + app.get_name() + " " + example;
  command->footer(footer);
  return command;
}

std::string describe_unknown_word(const CLI::App& app) {
  const std::vector<std::string> first = app.remaining();
  if (!first.empty()) return describe_word(first.front(), app, nullptr);
  for (const CLI::App* command : app.get_subcommands()) {
    const std::vector<std::string> words = command->remaining();
    if (!words.empty()) return describe_word(words.front(), app, command);
  }
  return "";
}

}  // namespace fnn
