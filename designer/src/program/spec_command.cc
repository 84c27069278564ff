// SPDX-License-Identifier: GPL-3.0-or-later
#include <iostream>
#include <memory>

#include "base/writing.h"
#include "program/answer.h"
#include "program/cli.h"
#include "program/command_line.h"
#include "program/commands.h"
#include "program/spec_text.h"
#include "spec/maintenance.h"
#include "spec/spec.h"

namespace fnn {
namespace {

struct SpecOptions {
  std::string spec;
  std::string directory;
  std::string output;
  bool maintenance = false;
};

Spec read(const SpecOptions& options) {
  if (options.directory.empty()) return read_spec_file(options.spec);
  return read_spec(read_json(options.spec), "", options.directory);
}

/// The whole spec in normal form, or that of its maintenance network alone.
Json chosen_spec(const SpecOptions& options) {
  Spec spec = read(options);
  Json whole = std::move(spec.normal);
  if (!spec.maintenance.is_null()) whole["maintenance"] = std::move(spec.maintenance);
  if (!options.maintenance) return whole;
  if (!whole.contains("maintenance")) throw BadInput(std::vector<Problem>{{"/maintenance", "missing"}});
  return read_spec(maintenance_spec(whole)).normal;
}

int run_spec(const SpecOptions& options) {
  const Json spec = chosen_spec(options);
  if (!options.output.empty()) write_atomically(options.output, pretty(spec));
  else std::cout << (prints_text() ? spec_text(spec) : pretty(spec));
  return kFound;
}

}  // namespace

void add_spec(CLI::App& app, Action& action) {
  const auto options = std::make_shared<SpecOptions>();
  CLI::App* command = add_command(
      app, "spec",
      {"Check a spec and print its normal form",
       "Reads a spec and checks its structure and its meaning. Prints or writes its normal form, in which every default\n"
       "and the pairs of all named files are written out. On a terminal it prints a summary instead.",
       {"spec spec.json", "spec spec.json --json", "spec spec.json --maintenance -o maintenance-spec.json"}});
  command->add_option("SPEC", options->spec, "The spec document")->required();
  command->add_option("--directory", options->directory, "Directory of the files that it names, instead of its own");
  command->add_flag("--maintenance", options->maintenance, "Print the spec of its maintenance network instead");
  command->add_option("-o,--output", options->output, "Where to write it instead of standard output");
  add_json_flag(*command);
  command->callback([&action, options] { action = [options] { return run_spec(*options); }; });
}

}  // namespace fnn
