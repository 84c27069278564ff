// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>

#include "base/json_syntax.h"
#include "base/problem.h"
#include "base/reading.h"
#include "base/writing.h"
#include "design/design_document.h"
#include "program/cli.h"
#include "program/commands.h"
#include "program/text_format.h"

namespace fnn {
namespace {

struct Options {
  std::string format = "text";
  std::string file;
  std::string output;
  std::string cluster = "imported";
};

int run_import(const Options& options) {
  const std::string bytes = read_text(options.file);
  if (!is_utf8(bytes)) throw BadInput({{file_name(options.file), "not UTF-8 text"}});
  const TextDesign text = parse_text_design(bytes, file_name(options.file), options.cluster);
  const Spec spec = read_spec(text.spec);
  const Json document =
      design_document(spec, text.cabling, 0, compute_bounds(spec), std::nullopt);
  write_atomically(options.output, pretty(document));
  print({{"verdict", document["verdict"]},
         {"nodes", spec.nodes.size()},
         {"switches", spec.switches.size()},
         {"uncovered", document["uncovered"].size()}});
  return document["verdict"] == "found" ? kFound : kNotFound;
}

}  // namespace

void add_import(CLI::App& app, Action& action) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("import", "Make a design of what another tool wrote");
  command->add_option("FILE", options->file, "What to read")->required();
  command->add_option("--format", options->format, "text: a line per switch, `switch: node node ...`")
      ->check(CLI::IsMember({"text"}))
      ->capture_default_str();
  command->add_option("--cluster", options->cluster, "Name of the cluster")->capture_default_str();
  command->add_option("-o,--output", options->output, "Where to write the design document")->required();
  command->callback([&action, options] { action = [options] { return run_import(*options); }; });
}

}  // namespace fnn
