// SPDX-License-Identifier: GPL-3.0-or-later
#include "program/cli.h"

#include <iostream>

#include "base/problem.h"
#include "program/commands.h"
#include "version.h"

namespace fnn {

void print(const Json& answer) { std::cout << compact(answer) << "\n"; }

int run(int argc, const char* const* argv) {
  Action action;
  CLI::App app("Designs flat neighborhood networks: wirings in which any two nodes share a switch.", "fnn-designer");
  app.set_version_flag("--version", kEngine);
  app.require_subcommand(1);
  app.footer("Exit codes: 0 found or valid, 1 invalid design, 2 bad input, 3 not found, 4 proved infeasible.");
  add_design(app, action);
  add_check(app, action);
  add_spec(app, action);
  add_capacity(app, action);
  add_import(app, action);
  add_export(app, action);
  add_routes(app, action);
  add_evaluate(app, action);

  try {
    app.parse(argc, argv);
    return action();
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kFound : kBadInput;
  } catch (const BadInput& bad) {
    std::cerr << bad.what() << "\n";
    print(to_json(bad.problems()));
    return kBadInput;
  } catch (const std::exception& fault) {
    std::cerr << "fnn-designer: " << fault.what() << "\n";
    return kBroken;
  }
}

}  // namespace fnn
