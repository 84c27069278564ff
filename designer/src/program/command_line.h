// SPDX-License-Identifier: GPL-3.0-or-later
// Help and errors of the command line.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace fnn {

/// What --help of a subcommand says besides its options.
struct CommandHelp {
  std::string summary;                ///< one line, also in the list of subcommands
  std::string details;                ///< what the subcommand reads and writes, in sentences
  std::vector<std::string> examples;  ///< arguments after `fnn-designer`
};

/// Lists subcommands by the first line of their description.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_subcommand(const CLI::App* command) const override;
};

CLI::App* add_command(CLI::App& app, const std::string& name, const CommandHelp& help);

/// Words of the command line that no subcommand takes come first, before options that are missing: one line with the
/// word, and the known one that is near to it. Empty if there are no such words.
std::string describe_unknown_word(const CLI::App& app);

}  // namespace fnn
