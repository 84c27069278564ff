// SPDX-License-Identifier: GPL-3.0-or-later
//
// Determining open numbers
// ------------------------
// For given nodes, NICs, ports and switches one of three cases holds without a search: a blown-up
// family is a design; a bound proves that no design exists; or neither. With few switches the search
// over types decides the third case. The best value of an open number is searched from the infeasible
// side: the first value with a design is taken. It is proved optimal when all values before it were
// proved infeasible. The number of switches is then reduced by search (fewest_switches.cc).
#include "program/quick.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "base/problem.h"
#include "oracle/bounds.h"
#include "oracle/capacity.h"
#include "oracle/type_search.h"
#include "oracle/verdict.h"
#include "program/best_known.h"
#include "program/designing.h"
#include "spec/spec.h"

namespace fnn {
namespace {

constexpr int kMostNics = 256;
constexpr int kMostPorts = 65535;  // one more goes to the uplink
constexpr int kMostSwitches = 4096;
constexpr int kMostExactSearches = 20;
constexpr int kFewSwitches = 10;         // of which an exact search rarely stays open
constexpr int kMostOpenSearches = 2;     // with more switches
constexpr long long kEffort = 50000000;  // about a twentieth of a second

enum class Feasibility { kFeasible, kInfeasible, kOpen };

long long ceiling(long long numerator, long long denominator) { return (numerator + denominator - 1) / denominator; }

bool bounds_allow(const PlainNumbers& plain) {
  const int width = std::min(plain.ports, plain.nodes);
  if (width < 2 || capacity_bound(plain.nics, width) < plain.nodes) return false;
  const long long links = plain.nodes * ceiling(plain.nodes - 1, width - 1);  // Schoenheim
  return links <= static_cast<long long>(plain.switches) * width;
}

bool has_construction(const PlainNumbers& plain) {
  const auto all = families(static_cast<std::size_t>(plain.nics), plain.switches, 1);
  return std::any_of(all.begin(), all.end(), [&](const Family& family) {
    const std::vector<int> widths(static_cast<std::size_t>(family.switches), plain.ports);
    return most_nodes_of_family(family, plain.ports) >= plain.nodes && blow_up(family, plain.nodes, widths).fits();
  });
}

Feasibility search_exactly(const PlainNumbers& plain, long long effort) {
  TypeProblem problem;
  problem.nodes = plain.nodes;
  problem.width.assign(static_cast<std::size_t>(plain.switches), std::min(plain.ports, plain.nodes));
  problem.media.assign(problem.width.size(), 0);
  TypeKind kind{std::vector<int>(static_cast<std::size_t>(plain.nodes)), {plain.nics}};
  std::iota(kind.nodes.begin(), kind.nodes.end(), 0);
  problem.kinds.push_back(kind);
  switch (search_types(problem, effort).verdict) {
    case TypeVerdict::kFound: return Feasibility::kFeasible;
    case TypeVerdict::kImpossible: return Feasibility::kInfeasible;
    case TypeVerdict::kOpen: break;
  }
  return Feasibility::kOpen;
}

class OpenNumbers {
 public:
  explicit OpenNumbers(const QuickOptions& options)
      : plain_{options.nodes.value_or(0), options.nics.value_or(0), options.ports.value_or(0),
               options.switches.value_or(0)} {}

  void determine_open_numbers() {
    const bool nodes_open = plain_.nodes == 0;
    if (plain_.nics == 0) determine_nics();
    if (plain_.ports == 0) determine_rising(plain_.ports, "ports", 1, plain_.nodes);
    if (nodes_open) determine_nodes();
    if (plain_.switches == 0) determine_switches();
  }

  const PlainNumbers& plain() const { return plain_; }
  const Json& determined() const { return determined_; }
  const std::optional<SwitchRange>& switches() const { return switches_; }

 private:
  void record(const char* name, int value, const char* how) { determined_[name] = {{"value", value}, {"how", how}}; }

  /// The numbers, with as many switches as could ever help while their number is open.
  PlainNumbers with_switches() const {
    PlainNumbers plain = plain_;
    if (plain.switches == 0) plain.switches = kMostSwitches;
    return plain;
  }

  Feasibility feasibility(const PlainNumbers& plain) {
    if (!bounds_allow(plain)) return Feasibility::kInfeasible;
    if (has_construction(plain)) return Feasibility::kFeasible;
    const bool few = plain.switches <= kFewSwitches;
    if (plain.switches > kMostTypeSwitches || exact_searches_ == kMostExactSearches) return Feasibility::kOpen;
    if (!few && open_searches_ == kMostOpenSearches) return Feasibility::kOpen;
    ++exact_searches_;
    // A design that this finds is found again by the stages of a design.
    const Feasibility found = search_exactly(plain, few ? kEffort : kShortTypeEffort);
    if (!few && found == Feasibility::kOpen) ++open_searches_;
    return found;
  }

  /// One NIC is enough where ports or nodes are open.
  void determine_nics() {
    if (plain_.ports == 0 || plain_.nodes == 0) {
      plain_.nics = 1;
      record("nics", 1, "proved");
      return;
    }
    determine_rising(plain_.nics, "nics", 1, std::min(kMostNics, plain_.nodes - 1));
  }

  /// Takes the first value from `least` on that has a design, or else the greatest: the search may
  /// find a design, or the bounds report why none exists.
  void determine_rising(int& number, const char* name, int least, int most) {
    const Rise rise = raise(number, least, most);
    record(name, number, !rise.designed ? "tried" : rise.at_least == number ? "proved" : "found");
  }

  struct Rise {
    int at_least;  ///< all smaller values are proved infeasible
    bool designed;
  };
  Rise raise(int& number, int least, int most) {
    int at_least = least;
    for (number = least; number <= most; ++number) {
      const Feasibility found = feasibility(&number == &plain_.switches ? plain_ : with_switches());
      if (found == Feasibility::kFeasible) return {at_least, true};
      // More of anything never hurts, so a proof excludes all smaller values.
      if (found == Feasibility::kInfeasible) at_least = number + 1;
    }
    number = std::max(least, most);
    return {std::min(at_least, number), false};
  }

  void determine_nodes() {
    int most = kMostSpecNodes;
    for (plain_.nodes = 2; plain_.nodes <= kMostSpecNodes; ++plain_.nodes) {
      if (bounds_allow(with_switches())) continue;
      most = plain_.nodes - 1;
      break;
    }
    bool proved = true;
    for (plain_.nodes = std::max(2, most); plain_.nodes > 2; --plain_.nodes) {
      const Feasibility found = feasibility(with_switches());
      if (found == Feasibility::kFeasible) break;
      proved = proved && found == Feasibility::kInfeasible;
    }
    record("nodes", plain_.nodes, proved ? "proved" : "found");
  }

  void determine_switches() {
    // No known family for so many NICs has more switches than the plane.
    const Rise rise = raise(plain_.switches, 1, std::min(kMostSwitches, plain_.nics * (plain_.nics - 1) + 1));
    SwitchRange range{plain_, rise.at_least, fewest_known_switches(plain_.nodes, plain_.nics, plain_.ports),
                      rise.designed};
    if (rise.designed) range.best_known = std::min(plain_.switches, range.best_known.value_or(plain_.switches));
    while (range.at_least < plain_.switches && is_excluded(range.at_least)) ++range.at_least;
    determined_["switches"] = to_json(range);
    switches_ = range;
  }

  /// Whether a bound proves that so many switches are too few.
  bool is_excluded(int switches) const {
    PlainNumbers plain = plain_;
    plain.switches = switches;
    return broken_bound(compute_bounds(read_spec(plain_spec_document(plain, "quick", false)))).has_value();
  }

  PlainNumbers plain_;
  int exact_searches_ = 0;
  int open_searches_ = 0;
  Json determined_ = Json::object();
  std::optional<SwitchRange> switches_;
};

void check_number(const char* option, const std::optional<int>& number, int least, int most, Problems& problems) {
  if (number.value_or(0) == 0 || (*number >= least && *number <= most)) return;
  problems.add(option, std::to_string(*number) + " is not 0 or from " + std::to_string(least) + " to " +
                           std::to_string(most));
}

}  // namespace

QuickSpec determine_open_numbers(const QuickOptions& options) {
  Problems problems;
  check_number("--nodes", options.nodes, 2, kMostSpecNodes, problems);
  check_number("--nics", options.nics, 1, kMostNics, problems);
  check_number("--ports", options.ports, 1, kMostPorts, problems);
  check_number("--switches", options.switches, 1, kMostSwitches, problems);
  if (options.nodes.value_or(0) == 0 && options.ports.value_or(0) == 0) {
    problems.add("", "the quick form needs --nodes or --ports");
  }
  if (!problems.empty()) throw BadInput(problems.sorted());
  OpenNumbers numbers(options);
  numbers.determine_open_numbers();
  return {plain_spec_document(numbers.plain(), "quick", options.uplink), numbers.determined(), numbers.switches()};
}

}  // namespace fnn
