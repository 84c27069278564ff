// SPDX-License-Identifier: GPL-3.0-or-later
#include <iostream>
#include <memory>

#include "design/check.h"
#include "program/answer.h"
#include "program/cli.h"
#include "program/command_line.h"
#include "program/commands.h"
#include "spec/topology_rules.h"
#include "topology/topology_check.h"

namespace fnn {
namespace {

struct CheckOptions {
  std::string design;
  std::string pairs;
};

std::vector<Problem> list_violations(const Design& design, const CheckOptions& options) {
  if (!options.pairs.empty()) require_flat_neighborhood(design, "only a flat neighborhood network accepts --pairs");
  if (!is_flat_neighborhood(design.spec.normal)) return check_topology_design(design);
  std::optional<std::vector<NamePair>> wanted;
  if (!options.pairs.empty()) wanted = read_pairs(options.pairs, design.spec);
  return check_design(design, wanted);
}

int run_check(const CheckOptions& options) {
  const Design design = read_design(read_json(options.design));
  const std::vector<Problem> violations = list_violations(design, options);
  for (const Problem& violation : violations) std::cerr << violation.line() << "\n";
  const auto number = static_cast<long long>(violations.size());
  print({{"verdict", violations.empty() ? "valid" : "invalid"}, {"violations", to_json(violations)["problems"]}},
        [&] { return options.design + ": " + (violations.empty() ? "valid" : counted(number, "violation")) + "\n"; });
  return violations.empty() ? kFound : kInvalid;
}

}  // namespace

void add_check(CLI::App& app, Action& action) {
  const auto options = std::make_shared<CheckOptions>();
  CLI::App* command = add_command(
      app, "check",
      {"List every violation of a design",
       "Reads a design and computes everything in it again from the spec inside, with code that is independent of the\n"
       "search. Prints whether the design is valid, and each violation with its place on standard error.",
       {"check design.json", "check design.json --pairs pairs.csv"}});
  command->add_option("DESIGN", options->design, "The design document")->required();
  command->add_option("--pairs", options->pairs, "Only these pairs must share a switch: two node names per line");
  add_json_flag(*command);
  command->callback([&action, options] { action = [options] { return run_check(*options); }; });
}

}  // namespace fnn
