// SPDX-License-Identifier: GPL-3.0-or-later
#include <iostream>
#include <memory>

#include "design/check.h"
#include "export/wiring_facts.h"
#include "export/wiring_table.h"
#include "program/answer.h"
#include "program/cli.h"
#include "program/command_line.h"
#include "program/commands.h"
#include "spec/topology_rules.h"
#include "topology/topology_check.h"

namespace fnn {
namespace {

int run_show(const std::string& path) {
  const Design design = read_design(read_json(path));
  // Uncovered pairs are allowed, and shown.
  const std::vector<Problem> violations = is_flat_neighborhood(design.spec.normal)
                                              ? check_design(design, std::vector<NamePair>{})
                                              : check_topology_design(design);
  if (!violations.empty()) throw BadInput(violations);
  const Json facts = wiring_facts(design.document, design.spec);
  // Other programs show this text to people, so it is also the output to a pipe.
  if (json_requested()) std::cout << compact(facts) << "\n";
  else std::cout << wiring_table(facts);
  return kFound;
}

}  // namespace

void add_show(CLI::App& app, Action& action) {
  const auto design = std::make_shared<std::string>();
  CLI::App* command = add_command(
      app, "show",
      {"Print the wiring of a design for people",
       "Reads a design. Prints its counts, the load and the nodes of each switch, and for at most 24 nodes\n"
       "the switch of each NIC, as text of at most 100 columns. With --json it prints the same as JSON.",
       {"show design.json", "show design.json --json"}});
  command->add_option("DESIGN", *design, "The design document")->required();
  add_json_flag(*command, "Print JSON instead of text");
  command->callback([&action, design] { action = [design] { return run_show(*design); }; });
}

}  // namespace fnn
