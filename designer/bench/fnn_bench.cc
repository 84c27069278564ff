// SPDX-License-Identifier: GPL-3.0-or-later
// fnn-bench: rates of the innermost loops of the search on one core, as JSON.
//
//   swap_deltas      delta evaluations of exchanges (Kernel::evaluate_moves), from a list of 4096 in random order
//   annealing_steps  steps of simulated annealing (Kernel::anneal) that ends nearly frozen, as in a search
//   full_checks      evaluations of a whole wiring (design/evaluation.h)
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "base/json_text.h"
#include "bench_rate.h"
#include "design/evaluation.h"
#include "search/local_search.h"
#include "spec/spec.h"

namespace fnn {
namespace {

struct Instance {
  int nodes;
  int nics;
  int switches;
  int ports;
};

Spec spec_of(const Instance& instance) {
  Json spec = {{"format", "fnn-spec"}, {"version", 1}, {"cluster", "bench"}, {"topology", "fnn"}};
  for (int i = 0; i < instance.nodes; ++i) {
    spec["nodes"].push_back({{"name", "n" + std::to_string(i)}, {"nics", instance.nics}});
  }
  for (int j = 0; j < instance.switches; ++j) {
    spec["switches"].push_back({{"name", "s" + std::to_string(j)}, {"ports", instance.ports}});
  }
  return read_spec(spec);
}

std::vector<Move> some_exchanges(const IncrementalWiring& now, std::size_t count) {
  RngState rng{{1, 2, 3, 4}};
  std::vector<Move> moves;
  Move move{};
  while (moves.size() < count) {
    if (now.propose(Operator::exchange, rng, move)) moves.push_back(move);
  }
  return moves;
}

double swap_delta_rate(const IncrementalWiring& now, const Kernel& kernel) {
  const std::vector<Move> moves = some_exchanges(now, 4096);
  return rate([&](std::int64_t& sum) {
    sum += kernel.evaluate_moves(now.kernel_state(), moves.data(), static_cast<std::int64_t>(moves.size()));
    return static_cast<std::int64_t>(moves.size());
  });
}

/// The acceptance thresholds (`thresholds`) are linear instead of logarithmic, which suffices for a rate.
double annealing_rate(IncrementalWiring& now) {
  std::vector<std::uint32_t> thresholds(4096);
  for (std::uint32_t i = 0; i < thresholds.size(); ++i) thresholds[i] = 40 * i;
  RngState rng{{5, 6, 7, 8}};
  TemperatureStage stage{1 << 16U, kShare / 5, kShare, thresholds.data(), nullptr, 0, false};
  return rate([&](std::int64_t& sum) {
    now.anneal(stage, rng);
    sum += now.deficit();
    return stage.steps;
  });
}

double full_check_rate(const Wiring& wiring, const Demand& demand) {
  return rate([&](std::int64_t& sum) {
    sum += evaluate(wiring, demand).deficit;
    return std::int64_t{1};
  });
}

Json measure_kernel(const Kernel& kernel, const Wiring& wiring, const Objective& objective, const Movable& movable) {
  IncrementalWiring now(wiring, objective, movable, kernel);
  const double swap_deltas = swap_delta_rate(now, kernel);
  return {{"kernel", kernel.name}, {"swap_deltas", swap_deltas}, {"annealing_steps", annealing_rate(now)}};
}

Json measure(const Instance& instance) {
  const Spec spec = spec_of(instance);
  const Limits limits(spec);
  const Objective objective{Demand(spec)};
  const Movable movable(limits);
  Random random(1);
  Wiring start(limits);
  start.fill(random);
  const Wiring wiring = anneal(start, objective, movable, {2.0, 0.2, 400000}, random);
  Json kernels = Json::array();
  for (int k = 0; k < runnable_kernels().count; ++k) {
    kernels.push_back(measure_kernel(*runnable_kernels().all[k], wiring, objective, movable));
  }
  // The top-level rates are those of the kernel that a search uses on this processor; the list compares all kernels.
  Json rates = kernels.back();
  rates["nodes"] = instance.nodes;
  rates["nics"] = instance.nics;
  rates["switches"] = instance.switches;
  rates["ports"] = instance.ports;
  rates["full_checks"] = full_check_rate(wiring, objective.demand());
  rates["kernels"] = kernels;
  return rates;
}

}  // namespace
}  // namespace fnn

int main() {
  using fnn::Json;
  Json rates = Json::array();
  for (const fnn::Instance& one : {fnn::Instance{64, 4, 9, 31}, {256, 4, 13, 80}, {1024, 5, 21, 250}}) {
    rates.push_back(fnn::measure(one));
  }
  const Json answer = {{"unit", "per second of one core"}, {"rates", rates}, {"consumed", fnn::consumed()}};
  std::printf("%s\n", answer.dump().c_str());
  return EXIT_SUCCESS;
}
