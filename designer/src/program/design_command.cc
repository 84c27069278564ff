// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>

#include "base/digest.h"
#include "base/problem.h"
#include "base/stopping.h"
#include "base/writing.h"
#include "design/design_document.h"
#include "program/advising.h"
#include "program/between.h"
#include "program/checkpoint.h"
#include "program/cli.h"
#include "program/commands.h"
#include "program/curve.h"
#include "program/designing.h"
#include "program/headroom.h"
#include "program/launch.h"
#include "program/quick.h"
#include "program/refusing.h"
#include "program/watch.h"
#include "version.h"

namespace fnn {
namespace {

constexpr const char* kStandardOutput = "-";
constexpr double kHeaviestWeight = 1000.0;  // as goals.moved_cables of a spec

struct Options {
  std::string spec;
  QuickOptions quick;
  std::string output;
  std::string near;
  std::string grow;
  int headroom = 0;
  std::string curve;
  DesignRequest request;
  WatchOptions watch;
  CheckpointOptions checkpoint;
  bool synchronous = false;
  bool advice = false;
};

/// A standing design is read from a file of its own, so its problems name the file.
std::optional<Design> read_old(const std::string& path) {
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

/// Identifies this run by all parameters that influence the search.
Json identity(const Spec& spec, const std::optional<Design>& old, const DesignRequest& request) {
  return {{"engine", kEngine},
          {"spec_digest", digest(spec.normal)},
          {"seed", request.seed},
          {"islands", request.islands},
          {"grow", request.grow},
          {"near_weight", request.near_weight ? Json(*request.near_weight) : Json()},
          {"near_digest", old ? Json(digest(old->document)) : Json()}};
}

struct Wish {
  Spec spec;
  Json settled;  ///< by the quick form; null without it
};

/// Reads the request, either from a document or from the quick form.
Wish read_wish(const Options& options) {
  if (options.quick.any() && !options.spec.empty()) {
    throw BadInput(std::vector<Problem>{
        {"", "SPEC and the quick form (--nodes, --nics, --ports, --switches, --uplink) exclude each other"}});
  }
  if (!options.quick.any() && options.spec.empty()) {
    throw BadInput(std::vector<Problem>{{"", "expected SPEC, or the quick form with --nodes or --ports"}});
  }
  if (!options.quick.any()) return {read_spec_file(options.spec), nullptr};
  const Quick quick = settle(options.quick);
  return {read_spec(quick.spec), quick.settled};
}

/// Redesigns with the other weights of the curve. The searches share the time limit.
std::vector<Tradeoff> draw_curve(const Spec& spec, const Design& old, const DesignRequest& request, Watch& watch) {
  std::vector<Tradeoff> points;
  for (const double weight : curve_weights(goals_of(spec))) {
    DesignRequest one = request;
    one.near_weight = weight;
    one.keeper = nullptr;
    one.fleet = nullptr;  // the other processes have left the group
    const Designed designed =
        design(spec, old, one, [&](std::int64_t done, const Individual& best) { watch.report(done, best); });
    const Json document = design_document(spec, designed.cabling, one.seed, {}, std::nullopt);
    if (document["verdict"] != "found") continue;
    const Json& quality = document["quality"];
    // Without traffic weights the mean is over all pairs.
    const char* measure = quality.contains("mean_shared_by_traffic") ? "mean_shared_by_traffic" : "mean_shared";
    points.push_back({weight, *designed.moves, quality.value(measure, 0.0)});
  }
  return pareto(points);
}

/// The baseline of the benchmarks supports coverage only, no later feature.
void require_classic_task(const Spec& spec, const Options& options) {
  Problems problems;
  if (goals_of(spec).any()) problems.add("/goals", "ga-classic looks for coverage only");
  if (!spec.pins.empty()) problems.add("/pinned", "ga-classic does not keep cables where they are");
  if (options.checkpoint.any()) problems.add("", "ga-classic keeps no checkpoints");
  if (!problems.empty()) throw BadInput(problems.sorted());
}

/// The answer document: the results of the search.
Json answer_of(const Designed& designed, const Json& document, bool found, double seconds) {
  Json answer = {{"verdict", found ? "found" : "not-found"},
                 {"stage", designed.stage},
                 {"generations", designed.generations},
                 {"seconds", rounded(seconds)},
                 {"uncovered", document["uncovered"].size()},
                 {"stages", to_json(designed.stages)}};
  if (designed.moves) {
    answer["kept_links"] = designed.moves->kept;
    answer["moved_links"] = designed.moves->moved;
    answer["moved_at_least"] = designed.moves->at_least;
  }
  return answer;
}

int run_design(const Options& options) {
  heed_signals();
  hush_follower();
  const Wish wish = read_wish(options);
  const Spec& spec = wish.spec;
  require_supported(spec);
  if (options.request.method == Method::kClassic) require_classic_task(spec, options);
  const std::optional<Design> old = read_old(options.grow.empty() ? options.near : options.grow);

  const Spec whole = options.headroom > 0 ? with_headroom(spec, options.headroom) : spec;
  require_supported(whole);
  const std::vector<Bound> bounds = compute_bounds(whole);
  if (const auto broken = broken_bound(bounds)) return refuse_infeasible(whole, *broken, {});

  DesignRequest request = options.request;
  if (!options.curve.empty()) request.time_limit /= static_cast<double>(curve_weights(goals_of(spec)).size() + 1);
  const std::unique_ptr<Post> post = open_post();
  std::optional<Fleet> fleet;
  if (post) request.fleet = &fleet.emplace(*post, options.synchronous || request.generations.has_value());
  // Of several processes only rank 0 saves: its own islands and the best wiring of all. The others start afresh.
  Checkpoint checkpoint(is_follower() ? CheckpointOptions{} : options.checkpoint, identity(whole, old, request));
  if (options.checkpoint.any() && !is_follower()) request.keeper = &checkpoint;
  Watch watch(is_follower() ? WatchOptions{} : options.watch, request, !options.checkpoint.resume.empty());
  Designed designed =
      design(whole, old, request, [&](std::int64_t done, const Individual& best) { watch.report(done, best); });
  if (is_follower()) return kFound;
  if (designed.infeasible) return refuse_infeasible(whole, *designed.infeasible, designed.stages);
  const int room = leave_headroom(designed.cabling, spec);
  Json document = design_document(spec, designed.cabling, options.request.seed, bounds, designed.moves);
  if (options.headroom > 0) document["quality"]["headroom"] = room;
  write_atomically(options.output, pretty(document));

  const bool found = document["verdict"] == "found" && room >= options.headroom;
  Json answer = answer_of(designed, document, found, watch.seconds());
  if (options.headroom > 0) answer["headroom"] = room;
  if (options.advice && found) answer["advice"] = advise(spec, designed.cabling);
  if (!options.curve.empty()) {
    const std::vector<Tradeoff> curve = draw_curve(whole, *old, request, watch);
    if (options.curve == kStandardOutput) {
      answer["curve"] = to_json(curve);  // what is on standard output stays one document
    } else {
      std::cerr << table_of(curve);
      write_atomically(options.curve, pretty(to_json(curve)));
    }
  }
  if (!wish.settled.is_null()) answer["settled"] = wish.settled;
  if (stop_requested()) answer["interrupted"] = true;
  watch.end(answer);
  print(answer);
  if (stop_requested()) return kInterrupted + stopping_signal();
  return found ? kFound : kNotFound;
}

}  // namespace

void add_design(CLI::App& app, Action& action) {
  const auto options = std::make_shared<Options>();
  options->request.threads = threads_for_us();
  CLI::App* command = app.add_subcommand("design", "Find a wiring for a spec and write it as a design");
  DesignRequest& request = options->request;
  command->add_option("SPEC", options->spec, "The spec document; or, instead, some of the next four");
  command->add_option("--nodes", options->quick.nodes, "Quick form: nodes; left out or 0: most");
  command->add_option("--nics", options->quick.nics, "Quick form: NICs of each node; left out or 0: fewest");
  command->add_option("--ports", options->quick.ports, "Quick form: ports for nodes on each switch; or fewest");
  command->add_option("--switches", options->quick.switches, "Quick form: switches; left out or 0: fewest");
  command->add_flag("--uplink", options->quick.uplink, "Quick form: one port more on each switch, for an uplink");
  command->add_option("-o,--output", options->output, "Where to write the design document")->required();
  command->add_option("--seed", request.seed, "Same spec and seed, same design")
      ->check(seed())
      ->capture_default_str();
  command->add_option("--time-limit", request.time_limit, "Seconds after which the best so far is written")
      ->check(between(0.0, kLongestSeconds))
      ->capture_default_str();
  command->add_option("--steps", request.generations, "Generations after which the best so far is written")
      ->check(between<std::int64_t>(1, kMostSteps));
  command->add_option("--method", request.method, "best, or for comparison random-start or ga-classic")
      ->transform(CLI::Transformer(std::map<std::string, Method>{
          {"best", Method::kBest}, {"random-start", Method::kRandomStart}, {"ga-classic", Method::kClassic}}))
      ->default_str("best");
  command->add_option("--threads", request.threads, "Threads; the design does not depend on it")
      ->check(between<std::int64_t>(1, kMostThreads))
      ->default_str("all processors");
  command->add_option("--islands", request.islands, "Populations side by side; no more threads than these have work")
      ->check(between<std::int64_t>(1, kMostThreads))
      ->capture_default_str();
  command->add_flag("--synchronous", options->synchronous,
                    "Under mpirun: wait for each other, so that the result is the same every time; so does --steps");
  CLI::Option* near =
      command->add_option("--near", options->near, "A standing design to keep as many cables of as possible");
  command->add_option("--near-weight", request.near_weight, "What a kept cable is worth, as goals.moved_cables")
      ->check(between(0.0, kHeaviestWeight))
      ->needs(near);
  command->add_option("--curve", options->curve, "Where to write moved cables against quality, for several weights; -: into the answer")
      ->needs(near);
  command->add_option("--grow", options->grow, "A standing design to add to; moves a cable only if it must")
      ->excludes(near);
  command->add_option("--headroom", options->headroom, "Keep room for so many more nodes of the commonest kind")
      ->check(between(0, kMostSpecNodes));
  command->add_flag("--advice", options->advice, "Tell what coverage alone would need, and what the rest buys");
  add_watch_options(*command, options->watch);
  add_checkpoint_options(*command, options->checkpoint);
  command->callback([&action, options] {
    options->request.grow = !options->grow.empty();
    action = [options] { return run_design(*options); };
  });
}

}  // namespace fnn
