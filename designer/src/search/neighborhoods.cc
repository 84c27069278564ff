// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/neighborhoods.h"

#include <algorithm>
#include <cassert>

#include "design/evaluation.h"

namespace fnn {

using std::size_t;

namespace {

size_t at(int index) { return Limits::at(index); }

}  // namespace

Neighborhoods::Neighborhoods(const Wiring& wiring, const Objective& objective, const Movable& movable,
                             const Kernel& kernel)
    : limits_(wiring.limits()), objective_(objective), kernel_(kernel) {
  const auto nodes = at(limits_.node_count());
  const auto devices = at(limits_.switch_count());
  board_.nodes = limits_.node_count();
  board_.switches = limits_.switch_count();
  board_.words = static_cast<std::int32_t>(board_words(nodes));
  board_.spots = static_cast<std::int32_t>(words_for(devices));
  board_.redundancy = objective.demand().redundancy();
  board_.media_count = static_cast<std::int32_t>(limits_.media_count);
  board_.movable = movable.nics().data();
  board_.may_move = movable.flags().data();
  board_.movable_count = static_cast<std::int32_t>(movable.nics().size());
  board_.wanted = objective.wanted();
  if (objective.balances()) nic_load_ = objective.nic_loads(wiring);
  aims_ = objective.aims(nic_load_.empty() ? nullptr : nic_load_.data());
  board_.aims = objective.has_aims() ? &aims_ : nullptr;
  lay_out(wiring);
  find_pairs();
  board_.cost = objective.cost(wiring);
}

void Neighborhoods::lay_out(const Wiring& wiring) {
  const size_t nics = limits_.nics.size();
  const auto devices = at(board_.switches);
  const auto words = at(board_.words);
  for (const NicSlot& nic : limits_.nics) {
    node_of_.push_back(nic.node);
    media_of_.push_back(nic.media);
  }
  first_nic_.assign(limits_.first_nic.begin(), limits_.first_nic.end());
  device_of_.push_back(board_.switches);  // of kDummy, which is -1
  for (const Group& group : limits_.groups) {
    device_of_.push_back(group.device);
    ports_.push_back(group.ports);
    first_seat_.push_back(static_cast<std::int32_t>(seat_.size()));
    seat_.resize(seat_.size() + at(group.ports));
  }
  first_group_.push_back(0);
  for (const std::vector<int>& groups : limits_.groups_by_media) {
    media_group_.insert(media_group_.end(), groups.begin(), groups.end());
    first_group_.push_back(static_cast<std::int32_t>(media_group_.size()));
  }
  group_at_.assign(limits_.group_of_media.begin(), limits_.group_of_media.end());
  usable_ports_.assign(limits_.usable_ports.begin(), limits_.usable_ports.end());
  group_.assign(nics, kDummy);
  device_.assign(nics, board_.switches);
  place_.assign(nics, 0);
  taken_.assign(limits_.groups.size(), 0);
  load_.assign(devices, 0);
  members_.assign((devices + 1) * words, 0);
  on_.assign(at(board_.nodes) * at(board_.spots), 0);
  for (size_t nic = 0; nic < nics; ++nic) {
    const int group = wiring.group(static_cast<int>(nic));
    if (group == kDummy) continue;
    const auto node = at(node_of_[nic]);
    const auto device = at(limits_.groups[at(group)].device);
    group_[nic] = group;
    device_[nic] = static_cast<std::int32_t>(device);
    place_[nic] = taken_[at(group)]++;
    seat_[at(first_seat_[at(group)] + place_[nic])] = static_cast<std::int32_t>(nic);
    ++load_[device];
    members_[device * words + node / 64] |= Word{1} << (node % 64);
    on_[node * at(board_.spots) + device / 64] |= Word{1} << (device % 64);
  }
  board_.node_of = node_of_.data();
  board_.media_of = media_of_.data();
  board_.first_nic = first_nic_.data();
  board_.device_of = device_of_.data() + 1;
  board_.media_group = media_group_.data();
  board_.first_group = first_group_.data();
  board_.group_at = group_at_.data();
  board_.ports = ports_.data();
  board_.usable_ports = usable_ports_.data();
  board_.first_seat = first_seat_.data();
  board_.group = group_.data();
  board_.device = device_.data();
  board_.place = place_.data();
  board_.seat = seat_.data();
  board_.taken = taken_.data();
  board_.load = load_.data();
  board_.members = members_.data();
  board_.on = on_.data();
}

Word Neighborhoods::wanted_word(size_t node, size_t w) const {
  if (board_.wanted != nullptr) return board_.wanted[node * at(board_.words) + w];
  const size_t first = w * 64;
  const auto nodes = at(board_.nodes);
  if (first >= nodes) return 0;
  const Word everyone = nodes - first < 64 ? (Word{1} << (nodes - first)) - 1 : ~Word{0};
  return node / 64 == w ? everyone & ~(Word{1} << (node % 64)) : everyone;
}

Neighborhoods::PairSets Neighborhoods::measure_pairs() const {
  const auto nodes = at(board_.nodes);
  const auto words = at(board_.words);
  const auto enough = at(board_.redundancy);
  PairSets pairs{std::vector<Word>(nodes * words), std::vector<Word>(nodes * words), std::vector<Word>(nodes * words), 0};
  std::vector<Word> at_least(enough + 3);  // [l]: the nodes with which at least l switches are shared
  for (size_t node = 0; node < nodes; ++node) {
    for (size_t w = 0; w < words; ++w) {
      std::fill(at_least.begin() + 1, at_least.end(), Word{0});
      at_least[0] = wanted_word(node, w);
      for (int nic = first_nic_[node]; nic < first_nic_[node + 1]; ++nic) {
        const Word row = members_[at(device_[at(nic)]) * words + w];
        for (size_t l = enough + 2; l > 0; --l) at_least[l] |= at_least[l - 1] & row;
      }
      for (size_t l = 1; l <= enough; ++l) pairs.deficit += count_bits(at_least[0] & ~at_least[l]);
      const size_t here = node * words + w;
      pairs.lacking[here] = at_least[0] & ~at_least[enough];
      pairs.scarce[here] = at_least[0] & ~at_least[enough + 1];
      pairs.sparing[here] = at_least[0] & ~at_least[enough + 2];
    }
  }
  pairs.deficit /= 2;  // each pair is counted from both ends
  return pairs;
}

void Neighborhoods::find_pairs() {
  const auto nodes = at(board_.nodes);
  const auto words = static_cast<std::ptrdiff_t>(board_.words);
  pairs_ = measure_pairs();
  lack_count_.assign(nodes, 0);
  troubled_.assign(nodes, 0);
  trouble_place_.assign(nodes, 0);
  std::int64_t lacks = 0;
  for (size_t node = 0; node < nodes; ++node) {
    const auto row = pairs_.lacking.begin() + static_cast<std::ptrdiff_t>(node) * words;
    for (auto word = row; word != row + words; ++word) lack_count_[node] += count_bits(*word);
    lacks += lack_count_[node];
    if (lack_count_[node] == 0) continue;
    trouble_place_[node] = board_.troubled_count;
    troubled_[at(board_.troubled_count++)] = static_cast<std::int32_t>(node);
  }
  board_.deficit = pairs_.deficit;
  board_.lack_pairs = static_cast<std::int32_t>(lacks / 2);
  board_.lacking = pairs_.lacking.data();
  board_.scarce = pairs_.scarce.data();
  board_.sparing = board_.aims != nullptr && board_.aims->exposure != 0 ? pairs_.sparing.data() : nullptr;
  board_.lack_count = lack_count_.data();
  board_.troubled = troubled_.data();
  board_.trouble_place = trouble_place_.data();
}

Wiring Neighborhoods::wiring() const {
  Wiring wiring(limits_);
  for (size_t nic = 0; nic < group_.size(); ++nic) {
    if (group_[nic] != kDummy) wiring.plug(static_cast<int>(nic), group_[nic]);
  }
  return wiring;
}

void Neighborhoods::make(const Move& move, const Verdict& verdict) {
  kernel_.make(board_, move, verdict);
  assert(is_as_claimed());
}

void Neighborhoods::anneal(Stage& stage, Dice& dice) {
#ifndef NDEBUG
  // Checks after every step, to catch the first wrongly evaluated move; in big clusters at intervals.
  const std::int64_t between = 1 + std::int64_t{board_.nodes} * board_.nodes / 16;
  Stage part = stage;
  for (std::int64_t done = 0; done < stage.steps; done += between) {
    part.steps = std::min(between, stage.steps - done);
    kernel_.anneal(board_, dice, part);
    assert(is_as_claimed());
  }
  stage.best_cost = part.best_cost;
#else
  kernel_.anneal(board_, dice, stage);
#endif
}

bool Neighborhoods::is_as_claimed() const {
  const Wiring now = wiring();
  const Evaluation measured = evaluate(now, objective_.demand());
  const PairSets pairs = measure_pairs();
  return measured.deficit == board_.deficit && static_cast<int>(measured.uncovered.size()) == board_.lack_pairs &&
         pairs.lacking == pairs_.lacking && pairs.scarce == pairs_.scarce &&
         (board_.sparing == nullptr || pairs.sparing == pairs_.sparing) && objective_.cost(now) == board_.cost;
}

Dice throw_dice(Random& random) { return {{random.next(), random.next(), random.next(), random.next()}}; }

}  // namespace fnn
