// SPDX-License-Identifier: GPL-3.0-or-later
#include <iostream>
#include <memory>

#include "base/writing.h"
#include "design/design_reading.h"
#include "program/cable_list.h"
#include "program/cli.h"
#include "program/commands.h"
#include "program/text_format.h"

namespace fnn {
namespace {

struct Options {
  std::string format = "text";
  std::string design;
  std::string output;
};

int run_export(const Options& options) {
  const Json document = read_design(read_json(options.design)).document;
  const std::string text = options.format == "cables" ? cable_list_of(document) : text_of_design(document);
  if (options.output.empty()) std::cout << text;
  else write_atomically(options.output, text);
  return kFound;
}

}  // namespace

void add_export(CLI::App& app, Action& action) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("export", "Write a design as another tool reads it");
  command->add_option("DESIGN", options->design, "The design document")->required();
  command->add_option("--format", options->format, "text: a line per switch, `switch: node node ...`; cables: node,nic,switch")
      ->check(CLI::IsMember({"text", "cables"}))
      ->capture_default_str();
  command->add_option("-o,--output", options->output, "Where to write it instead of standard output");
  command->callback([&action, options] { action = [options] { return run_export(*options); }; });
}

}  // namespace fnn
