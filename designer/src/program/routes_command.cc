// SPDX-License-Identifier: GPL-3.0-or-later
#include <iostream>
#include <memory>

#include "base/text_table.h"
#include "base/writing.h"
#include "design/check.h"
#include "program/answer.h"
#include "program/between.h"
#include "program/cli.h"
#include "program/command_line.h"
#include "program/commands.h"
#include "routing/routes_document.h"

namespace fnn {
namespace {

struct RoutesOptions {
  std::string design;
  std::string output;
  std::int64_t seed = 1;
};

int run_routes(const RoutesOptions& options) {
  const Design design = read_design(read_json(options.design));
  require_flat_neighborhood(design, "only a flat neighborhood network has a choice of switches");
  // Uncovered pairs are allowed; they get no route.
  const std::vector<Problem> violations = check_design(design, std::vector<NamePair>{});
  if (!violations.empty()) throw BadInput(violations);
  const Json routes = routes_document(design, options.seed);
  write_atomically(options.output, pretty(routes));
  Json answer{{"routes", options.output}};
  for (const char* key : {"one_way_pairs", "most_peers_per_gbps", "bound_peers_per_gbps"}) answer[key] = routes[key];
  print(answer, [&] {
    return options.output + ": written\n\n" +
           text_table({{"peers per Gb/s of the busiest NIC", short_number(routes["most_peers_per_gbps"].get<double>())},
                       {"proved lower bound", short_number(routes["bound_peers_per_gbps"].get<double>())},
                       {"pairs with two switches, one for each direction", compact(routes["one_way_pairs"])}});
  });
  return kFound;
}

}  // namespace

void add_routes(CLI::App& app, Action& action) {
  const auto options = std::make_shared<RoutesOptions>();
  CLI::App* command = add_command(
      app, "routes",
      {"Choose which shared switch each pair of nodes uses",
       "Reads a design of a flat neighborhood network and writes a table with the switch that each pair uses in each\n"
       "direction, so that no NIC carries more peers than it must, and one with the weights of all its switches where\n"
       "advanced routing divides flows in unequal parts. Prints the load of the busiest NIC.",
       {"routes design.json -o routes.json"}});
  command->add_option("DESIGN", options->design, "The design document")->required();
  command->add_option("-o,--output", options->output, "Where to write the routes document")->required();
  command->add_option("--seed", options->seed, "Random seed for the choice among equal routes")
      ->check(seed())
      ->capture_default_str();
  add_json_flag(*command);
  command->callback([&action, options] { action = [options] { return run_routes(*options); }; });
}

}  // namespace fnn
