// SPDX-License-Identifier: GPL-3.0-or-later
#include <iostream>
#include <memory>

#include "base/writing.h"
#include "design/design_reading.h"
#include "export/exports.h"
#include "program/cable_list.h"
#include "program/between.h"
#include "program/cli.h"
#include "program/command_line.h"
#include "program/commands.h"
#include "program/text_format.h"

namespace fnn {
namespace {

struct ExportOptions {
  std::string format = "text";
  std::string design;
  std::string output;
  std::string routing = "basic";
  std::int64_t seed = 1;
};

std::string exported(const Design& design, const ExportOptions& options) {
  if (options.format == "cables") return cable_list_of(design.document);
  if (options.format == "graphml") return graphml_of(design);
  if (options.format == "dot") return dot_of(design);
  if (options.format == "netbox") return netbox_of(design);
  if (options.format == "slurm") return slurm_of(design);
  if (options.format == "simgrid") {
    return simgrid_of(design, options.routing == "advanced", static_cast<std::uint64_t>(options.seed));
  }
  return text_of_design(design.document);
}

int run_export(const ExportOptions& options) {
  const Design design = read_design(read_json(options.design));
  require_flat_neighborhood(design, "only flat neighborhood networks are exported");
  const std::string text = exported(design, options);
  if (options.output.empty()) std::cout << text;
  else write_atomically(options.output, text);
  return kFound;
}

}  // namespace

void add_export(CLI::App& app, Action& action) {
  const auto options = std::make_shared<ExportOptions>();
  CLI::App* command = add_command(
      app, "export",
      {"Export a design in the format of another tool",
       "Reads a design of a flat neighborhood network and prints or writes it in the format of another tool: a text with\n"
       "a line per switch, a CSV file of cables, or a file for GraphML, Graphviz, NetBox, Slurm or SimGrid.",
       {"export design.json", "export --format cables design.json -o cables.csv",
        "export --format graphml design.json -o six.graphml", "export --format dot design.json -o six.dot",
        "export --format netbox design.json -o netbox.csv", "export --format slurm design.json -o topology.conf",
        "export --format simgrid --routing advanced design.json -o platform.xml"}});
  command->add_option("DESIGN", options->design, "The design document")->required();
  command->add_option("--format", options->format, "text: a line per switch, `switch: node node ...`; cables: node,nic,switch; "
                      "graphml, dot, netbox, slurm and simgrid as these tools read it")
      ->check(CLI::IsMember({"text", "cables", "graphml", "dot", "netbox", "slurm", "simgrid"}))
      ->capture_default_str();
  command->add_option("--routing", options->routing, "With simgrid: basic, a host per node, or advanced, a host per NIC")
      ->check(CLI::IsMember({"basic", "advanced"}))
      ->capture_default_str();
  command->add_option("--seed", options->seed,
                      "With simgrid: random seed of the routes")->check(seed())->capture_default_str();
  command->add_option("-o,--output", options->output, "Where to write it instead of standard output");
  command->callback([&action, options] { action = [options] { return run_export(*options); }; });
}

}  // namespace fnn
