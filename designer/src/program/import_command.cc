// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>

#include "base/json_syntax.h"
#include "base/problem.h"
#include "base/reading.h"
#include "base/writing.h"
#include "design/design_document.h"
#include "program/cable_list.h"
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
  std::string spec;
};

/// A spec and the cables that somebody chose for it.
struct Import {
  Spec spec;
  Cabling cabling;
};

Import read_import(const Options& options) {
  const std::string bytes = read_text(options.file);
  const std::string name = file_name(options.file);
  if (!is_utf8(bytes)) throw BadInput({{name, "not UTF-8 text"}});
  if (options.format == "cables") {
    Spec spec = read_spec_file(options.spec);
    Cabling cabling = parse_cable_list(bytes, name, spec);
    return {std::move(spec), std::move(cabling)};
  }
  TextDesign text = parse_text_design(bytes, name, options.cluster);
  return {read_spec(text.spec), std::move(text.cabling)};
}

int run_import(const Options& options) {
  if ((options.format == "cables") == options.spec.empty()) {
    throw BadInput(std::vector<Problem>{{"", "--format cables needs --spec, and no other format does"}});
  }
  const auto [spec, cabling] = read_import(options);
  const Json document = design_document(spec, cabling, 0, compute_bounds(spec), std::nullopt);
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
  command->add_option("--format", options->format, "text: a line per switch, `switch: node node ...`; cables: node,nic,switch")
      ->check(CLI::IsMember({"text", "cables"}))
      ->capture_default_str();
  command->add_option("--cluster", options->cluster, "Name of the cluster")->capture_default_str();
  command->add_option("--spec", options->spec, "With cables: the spec they are for");
  command->add_option("-o,--output", options->output, "Where to write the design document")->required();
  command->callback([&action, options] { action = [options] { return run_import(*options); }; });
}

}  // namespace fnn
