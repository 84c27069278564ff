// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>

#include "base/json_syntax.h"
#include "base/problem.h"
#include "base/reading.h"
#include "base/text_table.h"
#include "base/writing.h"
#include "design/design_document.h"
#include "design/port_choice.h"
#include "export/wiring_facts.h"
#include "export/wiring_table.h"
#include "network/infiniband.h"
#include "network/network_measures.h"
#include "program/answer.h"
#include "program/between.h"
#include "program/cable_list.h"
#include "program/cli.h"
#include "program/command_line.h"
#include "program/commands.h"
#include "program/text_format.h"
#include "version.h"

namespace fnn {
namespace {

struct ImportOptions {
  std::string format = "text";
  std::string file;
  std::string output;
  std::string cluster = "imported";
  std::string spec;
  std::string routes;
  std::int64_t seed = 1;
  std::int64_t patterns = 10000;
};

/// A spec and the imported cables for it.
struct Import {
  Spec spec;
  Cabling cabling;
};

Import read_import(const ImportOptions& options) {
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

NamedText named_text(const std::string& path) {
  NamedText found{read_text(path), file_name(path)};
  if (!is_utf8(found.text)) throw BadInput({{found.name, "not UTF-8 text"}});
  return found;
}

std::string network_text(const std::string& path, const Json& measures) {
  const Json& ebb = measures["ebb"]["basic"];
  const Json& load = measures["forwarding_index"];
  return path + ": written\n\n" +
         text_table({{"nodes", std::to_string(measures["nodes"].size())},
                     {"switches", std::to_string(measures["switches"].size())},
                     {"pairs without a route", compact(measures["switches_traversed"]["unreached"])},
                     {"effective bisection bandwidth, mean", short_number(ebb["uni"]["mean"].get<double>()) + " links"},
                     {"routes over the busiest NIC", compact(load["nic"]["max"])},
                     {"routes over the busiest cable of a switch", compact(load["switch"]["max"])}});
}

/// A topology that another tool discovered and routed is not a design, so it is measured directly.
int measure_infiniband(const ImportOptions& options) {
  const NamedText topology = named_text(options.file);
  const auto seed = static_cast<std::uint64_t>(options.seed);
  InfinibandNetwork network = read_infiniband(topology);
  if (options.routes.empty()) {
    network.routed.layers.push_back({choose_routes(network.routed.network, RoutingChoice::kMinHop, seed)});
  } else {
    read_tables(named_text(options.routes), topology, network);
  }
  Json measures = network_measures(network.routed, network.slowest_mbps, {}, {seed, static_cast<std::size_t>(options.patterns), 1});
  measures.update({{"format", "fnn-network"},
                   {"version", 1},
                   {"cluster", options.cluster},
                   {"engine", kEngine},
                   {"seed", options.seed},
                   {"link_mbps", network.slowest_mbps},
                   {"routing", options.routes.empty() ? "min-hop" : "tables"},
                   {"nodes", network.nodes},
                   {"switches", network.switches},
                   {"cables", network.routed.network.cables().size()}});
  write_atomically(options.output, pretty(measures));
  print({{"nodes", network.nodes.size()},
         {"switches", network.switches.size()},
         {"unreached", measures["switches_traversed"]["unreached"]},
         {"ebb", measures["ebb"]["basic"]},
         {"forwarding_index", measures["forwarding_index"]}},
        [&] { return network_text(options.output, measures); });
  return kFound;
}

int run_import(const ImportOptions& options) {
  if (options.format != "ibnetdiscover" && !options.routes.empty()) {
    throw BadInput(std::vector<Problem>{{"", "--routes requires --format ibnetdiscover"}});
  }
  if (options.format == "ibnetdiscover") return measure_infiniband(options);
  if ((options.format == "cables") == options.spec.empty()) {
    throw BadInput(std::vector<Problem>{{"", "--format cables requires --spec; --format text does not accept it"}});
  }
  const Import import = read_import(options);
  const Spec& spec = import.spec;
  const Json document = design_document(spec, on_ports(import.cabling, spec), 0, compute_bounds(spec), std::nullopt);
  write_atomically(options.output, pretty(document));
  print({{"verdict", document["verdict"]},
         {"nodes", spec.nodes.size()},
         {"switches", spec.switches.size()},
         {"uncovered", document["uncovered"].size()}},
        [&] { return wiring_table(wiring_facts(document, spec)) + "\n" + options.output + ": written\n"; });
  return document["verdict"] == "found" ? kFound : kNotFound;
}

}  // namespace

void add_import(CLI::App& app, Action& action) {
  const auto options = std::make_shared<ImportOptions>();
  CLI::App* command = add_command(
      app, "import",
      {"Import a design or a network from another tool",
       "Reads the text of earlier tools or a CSV file of cables and writes a design, measured. Reads the output of\n"
       "ibnetdiscover and writes the measures of that network. Prints what was read.",
       {"import --format text klat2.txt -o design.json",
        "import --format cables --spec spec.json cables.csv -o design.json",
        "import --format ibnetdiscover fabric.txt --routes tables.txt -o network.json"}});
  command->add_option("FILE", options->file, "The file to import")->required();
  command->add_option("--format", options->format, "text: a line per switch, `switch: node node ...`; cables: node,nic,switch; "
                      "ibnetdiscover: a network of any shape, measured")
      ->check(CLI::IsMember({"text", "cables", "ibnetdiscover"}))
      ->capture_default_str();
  command->add_option("--cluster", options->cluster, "Name of the cluster")->capture_default_str();
  command->add_option("--spec", options->spec, "With cables: the spec of the cluster");
  command->add_option("--routes", options->routes,
                      "With ibnetdiscover: forwarding tables in the format of dump_fts; default: min-hop");
  command->add_option("--seed", options->seed, "With ibnetdiscover: random seed of the patterns")
      ->check(seed())
      ->capture_default_str();
  command->add_option("--patterns", options->patterns, "With ibnetdiscover: random patterns for each estimate")
      ->check(between(2, 100000000))
      ->capture_default_str();
  command->add_option("-o,--output", options->output, "Where to write the document")->required();
  add_json_flag(*command);
  command->callback([&action, options] { action = [options] { return run_import(*options); }; });
}

}  // namespace fnn
