// SPDX-License-Identifier: GPL-3.0-or-later
#include <iostream>
#include <memory>

#include "base/writing.h"
#include "design/check.h"
#include "program/between.h"
#include "program/cli.h"
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
  print(answer);
  return kFound;
}

}  // namespace

void add_routes(CLI::App& app, Action& action) {
  const auto options = std::make_shared<RoutesOptions>();
  CLI::App* command = app.add_subcommand("routes", "Choose which shared switch each pair of nodes uses");
  command->add_option("DESIGN", options->design, "The design document")->required();
  command->add_option("-o,--output", options->output, "Where to write the routes document")->required();
  command->add_option("--seed", options->seed, "Random seed for the choice among equal routes")
      ->check(seed())
      ->capture_default_str();
  command->callback([&action, options] { action = [options] { return run_routes(*options); }; });
}

}  // namespace fnn
