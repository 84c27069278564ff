// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <iostream>
#include <thread>

#include "bounds.h"
#include "check.h"
#include "design_document.h"
#include "designing.h"
#include "digest.h"
#include "progress.h"
#include "version.h"
#include "writing.h"

namespace fnn {
namespace {

struct Options {
  std::string spec;
  std::string design;
  std::string output;
  std::string near;
  std::string pairs;
  DesignRequest request;
  bool progress = false;
};

void print(const Json& answer) { std::cout << compact(answer) << "\n"; }

/// The certificate names the first bound that is broken; any one would do as a proof.
int refuse_infeasible(const Spec& spec, const Bound& broken) {
  Json suggestions = Json::array();
  std::cerr << broken.message << "\n";
  for (const Suggestion& one : suggest_changes(spec)) {
    suggestions.push_back({{"change", one.change}, {"add", one.add}, {"message", one.message}});
    std::cerr << "  no bound rules out: " << one.message << "\n";
  }
  print({{"verdict", "infeasible"},
         {"certificate",
          {{"bound", broken.name},
           {"message", broken.message},
           {"needed", broken.needed},
           {"available", broken.available}}},
         {"suggestions", suggestions}});
  return kInfeasible;
}

/// A standing design is read from a file of its own, so its problems name the file.
std::optional<Design> read_near(const std::string& path) {
  if (path.empty()) return std::nullopt;
  try {
    Design old = read_design(read_json(path));
    const std::string expected = digest(old.document["spec"]);
    if (old.document["spec_digest"] != expected) {
      throw BadInput({{"/spec_digest", old.document["spec_digest"].get<std::string>() +
                                           " does not match the spec inside (expected " + expected + ")"}});
    }
    return old;
  } catch (const BadInput& bad) {
    std::vector<Problem> problems = bad.problems();
    for (Problem& problem : problems) {
      if (!problem.at.starts_with(file_name(path))) problem.at = file_name(path) + "#" + problem.at;
    }
    throw BadInput(problems);
  }
}

double rounded(double seconds) { return std::round(seconds * 1e6) / 1e6; }

int run_design(const Options& options) {
  const Spec spec = read_spec(read_json(options.spec));
  require_supported(spec);
  const std::optional<Design> old = read_near(options.near);

  const std::vector<Bound> bounds = compute_bounds(spec.nodes, spec.switches);
  const auto broken = std::find_if(bounds.begin(), bounds.end(), [](const Bound& bound) { return !bound.holds(); });
  if (broken != bounds.end()) return refuse_infeasible(spec, *broken);

  Progress progress(options.progress);
  const Designed designed =
      design(spec, old, options.request, [&](std::int64_t done, int uncovered) { progress.report(done, uncovered); });
  const Json document =
      design_document(spec, designed.cabling, options.request.seed, bounds, designed.kept_links);
  write_atomically(options.output, pretty(document));

  Json answer = {{"verdict", document["verdict"]},
                 {"stage", designed.stage},
                 {"generations", designed.generations},
                 {"seconds", rounded(progress.seconds())},
                 {"uncovered", document["uncovered"].size()}};
  if (designed.kept_links) answer["kept_links"] = *designed.kept_links;
  print(answer);
  return document["verdict"] == "found" ? kFound : kNotFound;
}

int run_check(const Options& options) {
  const Design design = read_design(read_json(options.design));
  std::optional<std::vector<NamePair>> wanted;
  if (!options.pairs.empty()) wanted = read_pairs(options.pairs, design.spec);
  const std::vector<Problem> violations = check_design(design, wanted);
  for (const Problem& violation : violations) std::cerr << violation.line() << "\n";
  print({{"verdict", violations.empty() ? "valid" : "invalid"}, {"violations", to_json(violations)["problems"]}});
  return violations.empty() ? kFound : kInvalid;
}

int run_spec(const Options& options) {
  const std::string text = pretty(read_spec(read_json(options.spec)).normal);
  if (options.output.empty()) std::cout << text;
  else write_atomically(options.output, text);
  return kFound;
}

void add_design(CLI::App& app, Options& options) {
  CLI::App* command = app.add_subcommand("design", "Find a wiring for a spec and write it as a design");
  DesignRequest& request = options.request;
  command->add_option("SPEC", options.spec, "The spec document")->required();
  command->add_option("-o,--output", options.output, "Where to write the design document")->required();
  command->add_option("--seed", request.seed, "Same spec and seed, same design")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command->add_option("--time-limit", request.time_limit, "Seconds after which the best so far is written")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command->add_option("--steps", request.generations, "Generations after which the best so far is written")
      ->check(CLI::PositiveNumber);
  command->add_option("--threads", request.threads, "Threads; the design does not depend on it")
      ->check(CLI::Range(1, 1024))
      ->default_str("all processors");
  command->add_option("--near", options.near, "A standing design to keep as many cables of as possible");
  command->add_flag("--progress", options.progress, "Show progress on stderr even when it is no terminal");
}

void add_check(CLI::App& app, Options& options) {
  CLI::App* command = app.add_subcommand("check", "List every violation of a design");
  command->add_option("DESIGN", options.design, "The design document")->required();
  command->add_option("--pairs", options.pairs, "Only these pairs must share a switch: two node names per line");
}

void add_spec(CLI::App& app, Options& options) {
  CLI::App* command = app.add_subcommand("spec", "Check a spec and give its normal form");
  command->add_option("SPEC", options.spec, "The spec document")->required();
  command->add_option("-o,--output", options.output, "Where to write it instead of standard output");
}

int dispatch(const CLI::App& app, const Options& options) {
  if (app.got_subcommand("design")) return run_design(options);
  if (app.got_subcommand("check")) return run_check(options);
  return run_spec(options);
}

}  // namespace

int run(int argc, const char* const* argv) {
  Options options;
  options.request.threads = std::max(1U, std::thread::hardware_concurrency());
  CLI::App app("Designs flat neighborhood networks: wirings in which any two nodes share a switch.", "fnn-designer");
  app.set_version_flag("--version", kEngine);
  app.require_subcommand(1);
  app.footer("Exit codes: 0 found or valid, 1 invalid design, 2 bad input, 3 not found, 4 proved infeasible.");
  add_design(app, options);
  add_check(app, options);
  add_spec(app, options);

  try {
    app.parse(argc, argv);
    return dispatch(app, options);
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
