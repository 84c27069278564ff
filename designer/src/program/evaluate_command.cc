// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>

#include "base/writing.h"
#include "design/check.h"
#include "evaluate/evaluation_document.h"
#include "program/cli.h"
#include "program/commands.h"
#include "program/launch.h"

namespace fnn {
namespace {

struct Options {
  std::string design;
  std::string output;
  std::int64_t seed = 1;
  std::int64_t patterns = 10000;
  std::int64_t threads = 0;
};

Json headlines(const Json& evaluation, const std::string& output) {
  return {{"evaluation", output},
          {"switches_traversed", evaluation["switches_traversed"]["mean"]},
          {"pairwise", evaluation["pairwise"]["mean"]},
          {"bisection_gbps",
           {{"best", evaluation["bisection"]["best"]["gbps"]}, {"conservative", evaluation["bisection"]["conservative"]["gbps"]}}},
          {"worst_case", evaluation["worst_case"]["ratio"]}};
}

int run_evaluate(const Options& options) {
  const Design design = read_design(read_json(options.design));
  // Pairs may be uncovered; they get nothing.
  const std::vector<Problem> violations = check_design(design, std::vector<NamePair>{});
  if (!violations.empty()) throw BadInput(violations);
  const Sampling sampling{static_cast<std::uint64_t>(options.seed), static_cast<std::size_t>(options.patterns),
                          options.threads > 0 ? static_cast<std::size_t>(options.threads) : threads_for_us()};
  const Json evaluation = evaluation_document(design, sampling);
  write_atomically(options.output, pretty(evaluation));
  print(headlines(evaluation, options.output));
  return kFound;
}

}  // namespace

void add_evaluate(CLI::App& app, Action& action) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("evaluate", "Predict what a design delivers");
  command->add_option("DESIGN", options->design, "The design document")->required();
  command->add_option("-o,--output", options->output, "Where to write the evaluation document")->required();
  command->add_option("--seed", options->seed, "Of the routes and of random patterns")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command->add_option("--patterns", options->patterns, "Random patterns for each estimate")
      ->check(CLI::Range(2, 100000000))
      ->capture_default_str();
  command->add_option("--threads", options->threads, "How many threads, all processors by default; never changes a number")
      ->check(CLI::PositiveNumber);
  command->callback([&action, options] { action = [options] { return run_evaluate(*options); }; });
}

}  // namespace fnn
