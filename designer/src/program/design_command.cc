// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <iostream>
#include <memory>

#include "base/digest.h"
#include "base/problem.h"
#include "base/rounding.h"
#include "base/stopping.h"
#include "base/writing.h"
#include "design/design_document.h"
#include "program/advising.h"
#include "program/answer.h"
#include "program/between.h"
#include "program/checkpoint.h"
#include "program/cli.h"
#include "program/command_line.h"
#include "program/commands.h"
#include "program/curve.h"
#include "program/design_text.h"
#include "program/designing.h"
#include "program/headroom.h"
#include "program/infeasibility_report.h"
#include "program/launch.h"
#include "program/quick.h"
#include "program/run_monitor.h"
#include "spec/topology_rules.h"
#include "topology/topology_design.h"
#include "version.h"

namespace fnn {
namespace {

constexpr const char* kStandardOutput = "-";
constexpr double kHeaviestWeight = 1000.0;  // as goals.moved_cables of a spec

struct DesignOptions {
  std::string spec;
  QuickOptions quick;
  std::string output;
  std::string near;
  std::string grow;
  int headroom = 0;
  std::string curve;
  DesignRequest request;
  MonitorOptions monitor;
  CheckpointOptions checkpoint;
  bool synchronous = false;
  bool advice = false;
  bool no_upgrades = false;
};

/// A standing design is read from a file of its own, so its problems name the file.
std::optional<Design> read_old(const std::string& path) {
  if (path.empty()) return std::nullopt;
  try {
    Design old = read_design(read_json(path));
    require_flat_neighborhood(old, "only a flat neighborhood network is redesigned");
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

struct DesignInput {
  Spec spec;
  Json determined = nullptr;             ///< by the quick form; null without it
  std::optional<SwitchRange> switches{};  ///< in the quick form with an open number of switches
};

/// Reads the request, either from a document or from the quick form.
DesignInput read_input(const DesignOptions& options) {
  if (options.quick.any() && !options.spec.empty()) {
    throw BadInput(std::vector<Problem>{
        {"", "SPEC and the quick form (--nodes, --nics, --ports, --switches, --uplink) exclude each other"}});
  }
  if (!options.quick.any() && options.spec.empty()) {
    throw BadInput(std::vector<Problem>{{"", "expected SPEC, or the quick form with --nodes or --ports"}});
  }
  if (!options.quick.any()) return {read_spec_file(options.spec)};
  const QuickSpec quick = determine_open_numbers(options.quick);
  return {read_spec(quick.spec), quick.determined, quick.switches};
}

/// Redesigns with the other weights of the curve. The searches share the time limit.
std::vector<Tradeoff> compute_curve(const Spec& spec, const Design& old, const DesignRequest& request,
                                    RunMonitor& monitor) {
  std::vector<Tradeoff> points;
  for (const double weight : curve_weights(goals_of(spec))) {
    DesignRequest one = request;
    one.near_weight = weight;
    one.upgrades = false;
    one.checkpoint = nullptr;
    one.processes = nullptr;  // the other processes have left the group
    const Designed designed =
        design(spec, old, one, [&](std::int64_t done, const Individual& best) { monitor.report(done, best); });
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
void require_classic_task(const Spec& spec, const DesignOptions& options) {
  Problems problems;
  if (goals_of(spec).any()) problems.add("/goals", "ga-classic supports coverage only");
  if (!spec.pins.empty()) problems.add("/pinned", "ga-classic does not support pinned cables");
  if (options.checkpoint.any()) problems.add("", "ga-classic does not support checkpoints");
  if (!problems.empty()) throw BadInput(problems.sorted());
}

/// The answer document: the results of the search.
Json answer_of(const Designed& designed, const Json& document, bool found, double seconds) {
  Json answer = {{"verdict", found ? "found" : "not-found"},
                 {"stage", designed.stage},
                 {"generations", designed.generations},
                 {"seconds", rounded(seconds, 1e6)},
                 {"uncovered", document["uncovered"].size()},
                 {"stages", to_json(designed.stages)}};
  if (designed.moves) {
    answer["kept_links"] = designed.moves->kept;
    answer["moved_links"] = designed.moves->moved;
    answer["moved_at_least"] = designed.moves->at_least;
  }
  const Json& quality = document["quality"];
  if (quality.contains("worst_gbps")) {
    answer["speeds"] = {{"worst_gbps", quality["worst_gbps"]},
                        {"worst_gbps_at_most", quality.value("worst_gbps_at_most", Json())},
                        {"mean_gbps", quality["mean_gbps"]},
                        {"below_nic", quality["below_nic"]},
                        {"upgrades", designed.upgrades}};
  }
  return answer;
}

/// Writes the design of a topology that the spec determines. There is nothing to search, and no redesign.
int write_topology_design(const Spec& spec, const DesignOptions& options) {
  Problems problems;
  const auto reject = [&](bool given, const std::string& option) {
    if (given) problems.add("/spec/topology", shown(spec.normal["topology"]) + ", but only a flat neighborhood network accepts " + option);
  };
  reject(!options.near.empty() || !options.grow.empty(), "an earlier design");
  reject(options.headroom > 0, "--headroom");
  reject(options.advice, "--advice");
  reject(options.checkpoint.any(), "checkpoints");
  if (!problems.empty()) throw BadInput(problems.sorted());
  if (is_follower()) return kFound;
  const Json document = topology_design(spec, options.request.seed);
  write_atomically(options.output, pretty(document));
  const Json answer = {{"verdict", document["verdict"]},
                       {"stage", "topology"},
                       {"generations", 0},
                       {"seconds", 0},
                       {"uncovered", 0},
                       {"stages", Json::array()},
                       {"segments", document["segments"].size()}};
  print(answer, [&] { return design_text(document, spec, answer, options.output); });
  return kFound;
}

/// Whether the quick form may search for fewer switches: only a plain search is repeated with other specs.
bool may_reduce_switches(const DesignInput& input, const DesignOptions& options, const DesignRequest& request) {
  return input.switches && request.method == Method::kBest && request.processes == nullptr &&
         !options.checkpoint.any() && options.headroom == 0 && options.near.empty() && options.grow.empty();
}

/// Replaces the spec and its design by those with fewer switches, if the search finds them in time.
void reduce_switches(DesignInput& input, Designed& designed, const DesignOptions& options,
                     const DesignRequest& request, RunMonitor& monitor) {
  const auto report = [&](std::int64_t done, const Individual& best) { monitor.report(done, best); };
  auto fewer = reduce_switches(*input.switches, {input.spec, designed}, options.quick.uplink, request,
                               monitor.seconds(), report);
  input.determined["switches"] = to_json(*input.switches);
  if (!fewer) return;
  input.spec = std::move(fewer->spec);
  designed = std::move(fewer->designed);
}

int run_design(const DesignOptions& options) {
  install_signal_handlers();
  silence_follower();
  DesignInput input = read_input(options);
  const Spec& spec = input.spec;
  if (!is_flat_neighborhood(spec.normal)) return write_topology_design(spec, options);
  require_supported(spec);
  if (options.request.method == Method::kClassic) require_classic_task(spec, options);
  const std::optional<Design> old = read_old(options.grow.empty() ? options.near : options.grow);

  const Spec enlarged = options.headroom > 0 ? with_headroom(spec, options.headroom) : spec;
  require_supported(enlarged);
  std::vector<Bound> bounds = compute_bounds(enlarged);
  if (const auto broken = broken_bound(bounds)) return report_infeasible(enlarged, *broken, {});

  DesignRequest request = options.request;
  request.upgrades = options.headroom == 0 && !options.no_upgrades && request.method == Method::kBest && !is_follower();
  if (!options.curve.empty()) request.time_limit /= static_cast<double>(curve_weights(goals_of(spec)).size() + 1);
  const std::unique_ptr<Transport> transport = open_transport();
  std::optional<ProcessGroup> processes;
  if (transport) {
    request.processes = &processes.emplace(*transport, options.synchronous || request.generations.has_value());
  }
  // Of several processes only rank 0 saves: its own islands and the best wiring of all. The others start afresh.
  Checkpoint checkpoint(is_follower() ? CheckpointOptions{} : options.checkpoint, identity(enlarged, old, request));
  if (options.checkpoint.any() && !is_follower()) request.checkpoint = &checkpoint;
  const auto write = [&](Designed& designed) {
    const int free = remove_future_nodes(designed.cabling, spec);
    Json document = design_document(spec, designed.cabling, options.request.seed, bounds, designed.moves);
    if (options.headroom > 0) document["quality"]["headroom"] = free;
    Json& quality = document["quality"];
    if (designed.worst_proved && quality.contains("worst_gbps")) quality["worst_gbps_at_most"] = quality["worst_gbps"];
    if (!designed.upgrades.empty()) document["upgrades"] = designed.upgrades;
    write_atomically(options.output, pretty(document));
    return std::pair{std::move(document), free};
  };
  // A launcher kills its processes soon after a signal, and a busy one is then killed before it can write.
  if (transport && !is_follower() && is_replaced_by_writing(options.output)) {
    request.keep_best = [&](Designed best) {
      try {
        write(best);
      } catch (const BadInput&) {  // must not end the search; the last write reports it
      }
    };
  }
  RunMonitor monitor(is_follower() ? MonitorOptions{} : options.monitor, request, !options.checkpoint.resume.empty());
  Designed designed =
      design(enlarged, old, request, [&](std::int64_t done, const Individual& best) { monitor.report(done, best); });
  if (is_follower()) return kFound;
  if (designed.infeasible) return report_infeasible(enlarged, *designed.infeasible, designed.stages);
  if (may_reduce_switches(input, options, request)) {
    reduce_switches(input, designed, options, request, monitor);
    bounds = compute_bounds(spec);
  }
  const auto written = write(designed);
  const Json& document = written.first;
  const int headroom = written.second;
  const bool found = document["verdict"] == "found" && headroom >= options.headroom;
  std::string curve_text;
  Json answer = answer_of(designed, document, found, monitor.seconds());
  if (options.headroom > 0) answer["headroom"] = headroom;
  if (options.advice && found) answer["advice"] = advise(spec, designed.cabling);
  if (!options.curve.empty()) {
    const std::vector<Tradeoff> curve = compute_curve(enlarged, *old, request, monitor);
    if (options.curve == kStandardOutput) {
      answer["curve"] = to_json(curve);  // standard output stays one document
      curve_text = "\n" + table_of(curve);
    } else {
      std::cerr << table_of(curve);
      write_atomically(options.curve, pretty(to_json(curve)));
    }
  }
  if (!input.determined.is_null()) answer["settled"] = input.determined;
  if (stop_requested()) answer["interrupted"] = true;
  monitor.end(answer);
  print(answer, [&] { return design_text(document, spec, answer, options.output) + curve_text; });
  if (stop_requested()) return kInterrupted + stopping_signal();
  return found ? kFound : kNotFound;
}

}  // namespace

void add_design(CLI::App& app, Action& action) {
  const auto options = std::make_shared<DesignOptions>();
  options->request.threads = threads_per_process();
  CLI::App* command = add_command(
      app, "design",
      {"Find a wiring for a spec and write it as a design",
       "Reads a spec, or takes the numbers of identical nodes and switches as options (quick form), and with --near or\n"
       "--grow also an earlier design. Writes a design. Prints how it was found, on a terminal with the wiring. If no\n"
       "design can exist, it prints the proof and changes that would help, and writes nothing.",
       {"design spec.json -o design.json", "design --nodes 64 --nics 4 --ports 31 -o design.json",
        "design spec20.json --grow design.json -o design20.json"}});
  DesignRequest& request = options->request;
  command->add_option("SPEC", options->spec, "The spec document, or instead the quick form");
  command->add_option("--nodes", options->quick.nodes,
                      "Quick form: number of nodes; omitted or 0: as many as possible");
  command->add_option("--nics", options->quick.nics, "Quick form: NICs per node; omitted or 0: as few as possible");
  command->add_option("--ports", options->quick.ports,
                      "Quick form: ports for nodes per switch; omitted or 0: as few as possible");
  command->add_option("--switches", options->quick.switches,
                      "Quick form: number of switches; omitted or 0: as few as possible");
  command->add_flag("--uplink", options->quick.uplink, "Quick form: add a port for an uplink to each switch");
  command->add_option("-o,--output", options->output, "Where to write the design document")->required();
  command->add_option("--seed", request.seed, "Random seed; the same spec and seed give the same design")
      ->check(seed())
      ->capture_default_str();
  command->add_option("--time-limit", request.time_limit, "Seconds after which the best so far is written")
      ->check(between(0.0, kLongestSeconds))
      ->capture_default_str();
  command->add_option("--steps", request.generations, "Generations after which the best so far is written")
      ->check(between<std::int64_t>(1, kMostSteps));
  command->add_option("--method", request.method, "Search method: best, or for comparison random-start or ga-classic")
      ->transform(CLI::Transformer(std::map<std::string, Method>{
          {"best", Method::kBest}, {"random-start", Method::kRandomStart}, {"ga-classic", Method::kClassic}}))
      ->default_str("best");
  command->add_option("--threads", request.threads, "Number of threads; does not affect the design")
      ->check(between<std::int64_t>(1, kMostThreads))
      ->default_str("all processors");
  command->add_option("--islands", request.islands, "Number of populations; more threads than populations stay idle")
      ->check(between<std::int64_t>(1, kMostThreads))
      ->capture_default_str();
  command->add_flag("--synchronous", options->synchronous,
                    "Under mpirun: synchronize all processes, for a reproducible result; implied by --steps");
  CLI::Option* near =
      command->add_option("--near", options->near, "A standing design, of which to keep as many cables as possible");
  command->add_option("--near-weight", request.near_weight, "Weight of a kept cable, as goals.moved_cables")
      ->check(between(0.0, kHeaviestWeight))
      ->needs(near);
  command->add_option("--curve", options->curve,
                      "Where to write the trade-off of moved cables against quality; -: into the answer")
      ->needs(near);
  command->add_option("--grow", options->grow, "A standing design to extend; moves a cable only if nothing else helps")
      ->excludes(near);
  command->add_option("--headroom", options->headroom,
                      "Keep ports free for this many more nodes of the most common kind")
      ->check(between(0, kMostSpecNodes));
  command->add_flag("--advice", options->advice,
                    "Report what coverage alone would need, and what the remaining hardware adds");
  command->add_flag("--no-upgrades", options->no_upgrades,
                    "Where links differ in speed: do not search for purchases that make them faster");
  add_monitor_options(*command, options->monitor);
  add_checkpoint_options(*command, options->checkpoint);
  add_json_flag(*command);
  command->callback([&action, options] {
    options->request.grow = !options->grow.empty();
    action = [options] { return run_design(*options); };
  });
}

}  // namespace fnn
