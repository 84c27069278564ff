// SPDX-License-Identifier: GPL-3.0-or-later
#include <iostream>
#include <memory>

#include "base/writing.h"
#include "program/cli.h"
#include "program/commands.h"
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
  const std::string text = pretty(chosen_spec(options));
  if (options.output.empty()) std::cout << text;
  else write_atomically(options.output, text);
  return kFound;
}

}  // namespace

void add_spec(CLI::App& app, Action& action) {
  const auto options = std::make_shared<SpecOptions>();
  CLI::App* command = app.add_subcommand("spec", "Check a spec and print its normal form");
  command->add_option("SPEC", options->spec, "The spec document")->required();
  command->add_option("--directory", options->directory, "Directory of the files that it names, instead of its own");
  command->add_flag("--maintenance", options->maintenance, "Print the spec of its maintenance network instead");
  command->add_option("-o,--output", options->output, "Where to write it instead of standard output");
  command->callback([&action, options] { action = [options] { return run_spec(*options); }; });
}

}  // namespace fnn
