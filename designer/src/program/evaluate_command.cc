// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <memory>

#include "alternatives/alternative.h"
#include "alternatives/alternatives_document.h"
#include "base/writing.h"
#include "design/check.h"
#include "evaluate/evaluation_document.h"
#include "program/answer.h"
#include "program/between.h"
#include "program/cli.h"
#include "program/command_line.h"
#include "program/commands.h"
#include "program/evaluation_text.h"
#include "program/flat_alternative.h"
#include "program/launch.h"
#include "spec/topology_rules.h"
#include "topology/topology_check.h"
#include "topology/topology_evaluation.h"

namespace fnn {
namespace {

constexpr const char* kFlat = "fnn";

struct EvaluateOptions {
  std::string design;
  std::string output;
  std::int64_t seed = 1;
  std::int64_t patterns = 10000;
  std::int64_t threads = 0;
  std::vector<std::string> alternatives = {"all"};
  std::string prices;
};

Json headlines(const Json& evaluation, const std::string& output) {
  return {{"evaluation", output},
          {"switches_traversed", evaluation["switches_traversed"]["mean"]},
          {"pairwise", evaluation["pairwise"]["mean"]},
          {"bisection_gbps",
           {{"best", evaluation["bisection"]["best"]["gbps"]}, {"conservative", evaluation["bisection"]["conservative"]["gbps"]}}},
          {"worst_case", evaluation["worst_case"]["ratio"]},
          {"comparison", evaluation["comparison"]}};
}

/// The other networks in output order; the first is for designs that are none.
std::vector<std::string> known_names() {
  std::vector<std::string> known = {kFlat};
  known.insert(known.end(), alternative_names().begin(), alternative_names().end());
  return known;
}

/// "all", "none" or names of known alternatives.
std::vector<std::string> wanted_names(const std::vector<std::string>& words) {
  const std::vector<std::string> known = known_names();
  if (words == std::vector<std::string>{"all"}) return known;
  if (words == std::vector<std::string>{"none"}) return {};
  std::vector<Problem> problems;
  std::string all;
  for (const std::string& name : known) all += (all.empty() ? "" : ", ") + name;
  for (const std::string& word : words) {
    if (std::find(known.begin(), known.end(), word) != known.end()) continue;
    problems.push_back({"--alternatives", "unknown alternative " + word + "; expected all, none, or some of " + all});
  }
  if (!problems.empty()) throw BadInput(problems);
  std::vector<std::string> names;
  for (const std::string& name : known) {
    if (std::find(words.begin(), words.end(), name) != words.end()) names.push_back(name);
  }
  return names;
}

AlternativesWanted wanted(const EvaluateOptions& options) {
  AlternativesWanted wanted{wanted_names(options.alternatives), std::nullopt};
  if (!options.prices.empty()) wanted.prices = read_price_list(read_json(options.prices));
  return wanted;
}

/// Takes the name of the flat neighborhood network off the list; a design that is none is compared with it.
void resolve_flat(AlternativesWanted& wanted, const Design& design, int mbps, const Sampling& sampling) {
  const auto named = std::find(wanted.names.begin(), wanted.names.end(), kFlat);
  if (named == wanted.names.end()) return;
  wanted.names.erase(named);
  if (design.spec.normal["topology"] == kFlat) return;
  wanted.flat = flat_alternative(design, wanted.prices, mbps, sampling);
}

Sampling sampling_of(const EvaluateOptions& options) {
  return {static_cast<std::uint64_t>(options.seed), static_cast<std::size_t>(options.patterns),
          options.threads > 0 ? static_cast<std::size_t>(options.threads) : threads_per_process()};
}

/// The prediction for a design that is not a flat neighborhood network.
int evaluate_topology(const Design& design, const EvaluateOptions& options, AlternativesWanted others) {
  const std::vector<Problem> violations = check_topology_design(design);
  if (!violations.empty()) throw BadInput(violations);
  // The measures take tables that grow with the square of the nodes, and edges have numbers of 16 bits.
  const std::int64_t cables = design.document["quality"]["links"];
  if (design.spec.nodes.size() > 2048 || cables > 16000) {
    throw BadInput({{"/spec", std::to_string(design.spec.nodes.size()) + " nodes and " + std::to_string(cables) +
                                  " cables are more than are measured, 2048 and 16000"}});
  }
  const Sampling sampling = sampling_of(options);
  Json evaluation = topology_evaluation(design, sampling);
  resolve_flat(others, design, evaluation["link_mbps"], sampling);
  evaluation.update(alternatives_document(design, measured_topology(design, evaluation), others, sampling));
  write_atomically(options.output, pretty(evaluation));
  const Json answer = {{"evaluation", options.output},
                       {"nodes_between", evaluation["nodes_between"]},
                       {"switches_traversed", evaluation["switches_traversed"]},
                       {"pairwise", evaluation["pairwise"]["mean"]},
                       {"worst_case", evaluation["worst_case"]},
                       {"comparison", evaluation["comparison"]}};
  print(answer, [&] { return evaluation_text(answer); });
  return kFound;
}

int run_evaluate(const EvaluateOptions& options) {
  AlternativesWanted others = wanted(options);
  const Design design = read_design(read_json(options.design));
  if (!is_flat_neighborhood(design.spec.normal)) return evaluate_topology(design, options, std::move(others));
  // Uncovered pairs are allowed; they get no throughput.
  const std::vector<Problem> violations = check_design(design, std::vector<NamePair>{});
  if (!violations.empty()) throw BadInput(violations);
  const Sampling sampling = sampling_of(options);
  Json evaluation = evaluation_document(design, sampling);
  const MeasuredNetwork own = measured_flat_network(design, evaluation, sampling.seed);
  resolve_flat(others, design, own.unit_mbps, sampling);
  evaluation.update(alternatives_document(design, own, others, sampling));
  write_atomically(options.output, pretty(evaluation));
  const Json answer = headlines(evaluation, options.output);
  print(answer, [&] { return evaluation_text(answer); });
  return kFound;
}

}  // namespace

void add_evaluate(CLI::App& app, Action& action) {
  const auto options = std::make_shared<EvaluateOptions>();
  CLI::App* command = add_command(
      app, "evaluate",
      {"Predict what a design delivers",
       "Reads a design, and a price list if one is given. Writes the predicted bandwidths, bottlenecks, effects of\n"
       "failures and costs of the design, and those of other networks of the same nodes. Prints the main numbers.",
       {"evaluate design.json -o evaluation.json",
        "evaluate design.json -o evaluation.json --alternatives fat-tree,ring --prices prices.json"}});
  command->add_option("DESIGN", options->design, "The design document")->required();
  command->add_option("-o,--output", options->output, "Where to write the evaluation document")->required();
  command->add_option("--seed", options->seed, "Random seed of the routes and patterns")
      ->check(seed())
      ->capture_default_str();
  command->add_option("--patterns", options->patterns, "Random patterns for each estimate")
      ->check(between(2, 100000000))
      ->capture_default_str();
  command->add_option("--threads", options->threads,
                      "Number of threads, by default all processors; does not affect the results")
      ->check(between<std::int64_t>(1, kMostThreads));
  command->add_option("--alternatives", options->alternatives,
                      "Other networks to compare with: all, none, or names separated by commas")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--prices", options->prices, "A price list for hardware that the design does not have");
  add_json_flag(*command);
  command->callback([&action, options] { action = [options] { return run_evaluate(*options); }; });
}

}  // namespace fnn
