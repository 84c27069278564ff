// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/incremental_wiring.h"

#include <algorithm>
#include <cassert>

#include "design/evaluation.h"

namespace fnn {

using std::size_t;

namespace {

size_t at(int index) { return Limits::at(index); }

}  // namespace

IncrementalWiring::IncrementalWiring(const Wiring& wiring, const Objective& objective, const Movable& movable,
                                     const Kernel& kernel)
    : limits_(wiring.limits()), objective_(objective), kernel_(kernel) {
  const auto nodes = at(limits_.node_count());
  const auto devices = at(limits_.switch_count());
  state_.nodes = limits_.node_count();
  state_.switches = limits_.switch_count();
  state_.words = static_cast<std::int32_t>(row_words(nodes));
  state_.switch_words = static_cast<std::int32_t>(words_for(devices));
  state_.redundancy = objective.demand().redundancy();
  state_.media_count = static_cast<std::int32_t>(limits_.media_count);
  state_.movable = movable.nics().data();
  state_.may_move = movable.flags().data();
  state_.movable_count = static_cast<std::int32_t>(movable.nics().size());
  state_.wanted = objective.wanted();
  if (objective.has_balance()) nic_load_ = objective.nic_loads(wiring);
  goal_tables_ = objective.goal_tables(nic_load_.empty() ? nullptr : nic_load_.data());
  state_.goals = objective.has_tables() ? &goal_tables_ : nullptr;
  fill_arrays(wiring);
  find_pair_sets();
  state_.cost = objective.cost(wiring);
  state_.deficit += objective.shortage(wiring);
}

void IncrementalWiring::fill_arrays(const Wiring& wiring) {
  const size_t nics = limits_.nics.size();
  const auto devices = at(state_.switches);
  const auto words = at(state_.words);
  for (const NicSlot& nic : limits_.nics) {
    node_of_.push_back(nic.node);
    media_of_.push_back(nic.media);
  }
  first_nic_.assign(limits_.first_nic.begin(), limits_.first_nic.end());
  device_of_.push_back(state_.switches);  // of kDummy, which is -1
  for (const Group& group : limits_.groups) {
    device_of_.push_back(group.device);
    ports_.push_back(group.ports);
    first_group_nic_.push_back(static_cast<std::int32_t>(group_nic_.size()));
    group_nic_.resize(group_nic_.size() + at(group.ports));
  }
  first_group_.push_back(0);
  for (const std::vector<int>& groups : limits_.groups_by_media) {
    media_group_.insert(media_group_.end(), groups.begin(), groups.end());
    first_group_.push_back(static_cast<std::int32_t>(media_group_.size()));
  }
  group_at_.assign(limits_.group_of_media.begin(), limits_.group_of_media.end());
  usable_ports_.assign(limits_.usable_ports.begin(), limits_.usable_ports.end());
  group_.assign(nics, kDummy);
  device_.assign(nics, state_.switches);
  place_.assign(nics, 0);
  used_ports_.assign(limits_.groups.size(), 0);
  load_.assign(devices, 0);
  members_.assign((devices + 1) * words, 0);
  node_switches_.assign(at(state_.nodes) * at(state_.switch_words), 0);
  for (size_t nic = 0; nic < nics; ++nic) {
    const int group = wiring.group(static_cast<int>(nic));
    if (group == kDummy) continue;
    const auto node = at(node_of_[nic]);
    const auto device = at(limits_.groups[at(group)].device);
    group_[nic] = group;
    device_[nic] = static_cast<std::int32_t>(device);
    place_[nic] = used_ports_[at(group)]++;
    group_nic_[at(first_group_nic_[at(group)] + place_[nic])] = static_cast<std::int32_t>(nic);
    ++load_[device];
    members_[device * words + node / 64] |= Word{1} << (node % 64);
    node_switches_[node * at(state_.switch_words) + device / 64] |= Word{1} << (device % 64);
  }
  state_.node_of = node_of_.data();
  state_.media_of = media_of_.data();
  state_.first_nic = first_nic_.data();
  state_.device_of = device_of_.data() + 1;
  state_.media_group = media_group_.data();
  state_.first_group = first_group_.data();
  state_.group_at = group_at_.data();
  state_.ports = ports_.data();
  state_.usable_ports = usable_ports_.data();
  state_.first_group_nic = first_group_nic_.data();
  state_.group = group_.data();
  state_.device = device_.data();
  state_.place = place_.data();
  state_.group_nic = group_nic_.data();
  state_.used_ports = used_ports_.data();
  state_.load = load_.data();
  state_.members = members_.data();
  state_.node_switches = node_switches_.data();
}

Word IncrementalWiring::wanted_word(size_t node, size_t w) const {
  if (state_.wanted != nullptr) return state_.wanted[node * at(state_.words) + w];
  const size_t first = w * 64;
  const auto nodes = at(state_.nodes);
  if (first >= nodes) return 0;
  const Word everyone = nodes - first < 64 ? (Word{1} << (nodes - first)) - 1 : ~Word{0};
  return node / 64 == w ? everyone & ~(Word{1} << (node % 64)) : everyone;
}

IncrementalWiring::PairSets IncrementalWiring::compute_pair_sets() const {
  const auto nodes = at(state_.nodes);
  const auto words = at(state_.words);
  const auto required = at(state_.redundancy);
  PairSets pairs{std::vector<Word>(nodes * words), std::vector<Word>(nodes * words), std::vector<Word>(nodes * words), 0};
  std::vector<Word> at_least(required + 3);  // [l]: the nodes with which at least l switches are shared
  for (size_t node = 0; node < nodes; ++node) {
    for (size_t w = 0; w < words; ++w) {
      std::fill(at_least.begin() + 1, at_least.end(), Word{0});
      at_least[0] = wanted_word(node, w);
      for (int nic = first_nic_[node]; nic < first_nic_[node + 1]; ++nic) {
        const Word row = members_[at(device_[at(nic)]) * words + w];
        for (size_t l = required + 2; l > 0; --l) at_least[l] |= at_least[l - 1] & row;
      }
      for (size_t l = 1; l <= required; ++l) pairs.deficit += count_bits(at_least[0] & ~at_least[l]);
      const size_t here = node * words + w;
      pairs.lacking[here] = at_least[0] & ~at_least[required];
      pairs.tight[here] = at_least[0] & ~at_least[required + 1];
      pairs.near_tight[here] = at_least[0] & ~at_least[required + 2];
    }
  }
  pairs.deficit /= 2;  // each pair is counted from both ends
  return pairs;
}

void IncrementalWiring::find_pair_sets() {
  const auto nodes = at(state_.nodes);
  const auto words = static_cast<std::ptrdiff_t>(state_.words);
  pairs_ = compute_pair_sets();
  lacking_count_.assign(nodes, 0);
  problem_nodes_.assign(nodes, 0);
  problem_place_.assign(nodes, 0);
  std::int64_t lacking_total = 0;
  for (size_t node = 0; node < nodes; ++node) {
    const auto row = pairs_.lacking.begin() + static_cast<std::ptrdiff_t>(node) * words;
    for (auto word = row; word != row + words; ++word) lacking_count_[node] += count_bits(*word);
    lacking_total += lacking_count_[node];
    if (lacking_count_[node] == 0) continue;
    problem_place_[node] = state_.problem_count;
    problem_nodes_[at(state_.problem_count++)] = static_cast<std::int32_t>(node);
  }
  state_.deficit = pairs_.deficit;
  state_.lacking_pairs = static_cast<std::int32_t>(lacking_total / 2);
  state_.lacking = pairs_.lacking.data();
  state_.tight = pairs_.tight.data();
  state_.near_tight = state_.goals != nullptr && state_.goals->exposure != 0 ? pairs_.near_tight.data() : nullptr;
  state_.lacking_count = lacking_count_.data();
  state_.problem_nodes = problem_nodes_.data();
  state_.problem_place = problem_place_.data();
}

Wiring IncrementalWiring::wiring() const {
  Wiring wiring(limits_);
  for (size_t nic = 0; nic < group_.size(); ++nic) {
    if (group_[nic] != kDummy) wiring.plug(static_cast<int>(nic), group_[nic]);
  }
  return wiring;
}

void IncrementalWiring::make(const Move& move, const Delta& delta) {
  kernel_.make(state_, move, delta);
  assert(is_consistent());
}

void IncrementalWiring::anneal(TemperatureStage& stage, RngState& rng) {
#ifndef NDEBUG
  // Checks after every step, to catch the first wrongly evaluated move; in big clusters at intervals.
  const std::int64_t between = 1 + std::int64_t{state_.nodes} * state_.nodes / 16;
  TemperatureStage part = stage;
  for (std::int64_t done = 0; done < stage.steps; done += between) {
    part.steps = std::min(between, stage.steps - done);
    kernel_.anneal(state_, rng, part);
    assert(is_consistent());
  }
  stage.best_cost = part.best_cost;
#else
  kernel_.anneal(state_, rng, stage);
#endif
}

bool IncrementalWiring::is_consistent() const {
  const Wiring now = wiring();
  const Evaluation measured = evaluate(now, objective_.demand());
  const PairSets pairs = compute_pair_sets();
  return measured.deficit + objective_.shortage(now) == state_.deficit && static_cast<int>(measured.uncovered.size()) == state_.lacking_pairs &&
         pairs.lacking == pairs_.lacking && pairs.tight == pairs_.tight &&
         (state_.near_tight == nullptr || pairs.near_tight == pairs_.near_tight) && objective_.cost(now) == state_.cost;
}

RngState seed_rng(Random& random) { return {{random.next(), random.next(), random.next(), random.next()}}; }

}  // namespace fnn
