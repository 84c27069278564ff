// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every answer is backed by a design from the search over types or from algebra, found within milliseconds. Leaner
// clusters may exist, but finding them would take a search.
#include "oracle/advice.h"

#include <algorithm>
#include <functional>

#include "oracle/bounds.h"
#include "oracle/constructions.h"
#include "oracle/type_search.h"
#include "oracle/verdict.h"

namespace fnn {
namespace {

constexpr long long kAdviceEffort = 5000000;
constexpr std::size_t kMostNodes = 512;

/// The sharing of a design that is found without a long search; nothing when none is found.
std::optional<Sharing> designed_at_once(const Spec& spec, const Demand& demand) {
  if (broken_bound(compute_bounds(spec.nodes, spec.switches, demand))) return std::nullopt;
  const Limits limits(spec);
  if (const auto problem = type_problem(limits, demand)) {
    const TypeOutcome outcome = search_types(*problem, kAdviceEffort);
    if (outcome.verdict == TypeVerdict::kFound) return sharing_of(wiring_of(*problem, outcome, limits), demand);
    if (outcome.verdict == TypeVerdict::kImpossible) return std::nullopt;
  }
  const std::vector<Wiring> built = construct(limits, demand);
  if (built.empty() || missing_shares(built.front(), demand) > 0) return std::nullopt;
  return sharing_of(built.front(), demand);
}

int most_nics(const Spec& spec) {
  std::size_t most = 0;
  for (const Node& node : spec.nodes) most = std::max(most, node.nic_media.size());
  return static_cast<int>(most);
}

int most_ports(const Spec& spec) {
  int most = 0;
  for (const Switch& device : spec.switches) most = std::max(most, device.usable_ports());
  return most;
}

Spec with_nics(Spec spec, int nics) {
  for (Node& node : spec.nodes) {
    if (node.nic_media.size() <= static_cast<std::size_t>(nics)) continue;
    node.nic_media.resize(static_cast<std::size_t>(nics));
    node.nic_mbps.resize(static_cast<std::size_t>(nics));
  }
  return spec;
}

/// Reserves the ports beyond `ports`.
Spec with_ports(Spec spec, int ports) {
  for (Switch& device : spec.switches) device.reserved = std::max(device.reserved, device.all_ports() - ports);
  return spec;
}

/// Keeps the widest switches.
Spec with_switches(Spec spec, int switches) {
  std::stable_sort(spec.switches.begin(), spec.switches.end(),
                   [](const Switch& a, const Switch& b) { return a.usable_ports() > b.usable_ports(); });
  spec.switches.resize(static_cast<std::size_t>(switches));
  return spec;
}

/// The least amount below `now` for which a design is found, by bisection; `now` when there is none.
int fewest(int now, const std::function<bool(int)>& passes) {
  int low = 0;
  int high = now;
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    (passes(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace

Sharing sharing_of(const Wiring& wiring, const Demand& demand) {
  const int switches = wiring.limits().switch_count();
  std::vector<long long> lost(Limits::at(switches), 0);
  Sharing sharing;
  for (std::size_t a = 0; a < demand.nodes(); ++a) {
    for (std::size_t b = a + 1; b < demand.nodes(); ++b) {
      if (!demand.wants(a, b)) continue;
      std::vector<std::size_t> shared;
      for (int device = 0; device < switches; ++device) {
        const bool both = wiring.is_on(static_cast<int>(a), device) && wiring.is_on(static_cast<int>(b), device);
        if (both) shared.push_back(Limits::at(device));
      }
      sharing.mean += static_cast<double>(shared.size());
      if (shared.size() > Limits::at(demand.redundancy())) continue;
      sharing.without_spare += 1;
      for (const std::size_t device : shared) ++lost[device];
    }
  }
  const auto pairs = static_cast<double>(std::max(1LL, demand.pairs()));
  sharing.mean /= pairs;
  sharing.without_spare /= pairs;
  sharing.lost_with_worst_switch = *std::max_element(lost.begin(), lost.end());
  return sharing;
}

std::optional<Lean> lean_design(const Spec& spec, const Demand& demand) {
  if (!demand.is_universal() || spec.nodes.size() > kMostNodes) return std::nullopt;
  Spec lean = spec;
  lean.normal = Json();  // unused, and expensive to copy
  const auto passes = [&](const Spec& smaller) { return designed_at_once(smaller, demand).has_value(); };
  const auto nodes = static_cast<int>(spec.nodes.size());
  const int nics = fewest(most_nics(lean), [&](int count) { return passes(with_nics(lean, count)); });
  lean = with_nics(std::move(lean), nics);
  const int ports = fewest(std::min(most_ports(lean), nodes), [&](int count) { return passes(with_ports(lean, count)); });
  lean = with_ports(std::move(lean), ports);
  const int now = static_cast<int>(lean.switches.size());
  const int switches = fewest(now, [&](int count) { return passes(with_switches(lean, count)); });
  const auto sharing = designed_at_once(with_switches(lean, switches), demand);
  const bool leaner = nics < most_nics(spec) || ports < most_ports(spec) || switches < now;
  if (!leaner || !sharing) return std::nullopt;
  return Lean{nics, ports, switches, *sharing};
}

}  // namespace fnn
