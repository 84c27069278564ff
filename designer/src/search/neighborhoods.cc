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
  find_lacks();
  board_.cost = objective.cost(wiring);
}

void Neighborhoods::lay_out(const Wiring& wiring) {
  const size_t nics = limits_.nics.size();
  const auto nodes = at(board_.nodes);
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
  links_.assign(nodes, 0);
  members_.assign((devices + 1) * words, 0);
  on_.assign(nodes * at(board_.spots), 0);
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
    ++links_[node];
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
  board_.links = links_.data();
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

void Neighborhoods::find_lacks() {
  const auto nodes = at(board_.nodes);
  const auto words = at(board_.words);
  lacking_.assign(nodes * words, 0);
  lack_count_.assign(nodes, 0);
  troubled_.assign(nodes, 0);
  trouble_place_.assign(nodes, 0);
  std::vector<Word> shared(at(board_.redundancy));  // [l]: the nodes with which more than l switches are shared
  std::int64_t deficit = 0;
  std::int64_t lacks = 0;
  for (size_t node = 0; node < nodes; ++node) {
    for (size_t w = 0; w < words; ++w) {
      std::fill(shared.begin(), shared.end(), Word{0});
      for (int nic = first_nic_[node]; nic < first_nic_[node + 1]; ++nic) {
        const Word row = members_[at(device_[at(nic)]) * words + w];
        for (size_t l = shared.size() - 1; l > 0; --l) shared[l] |= shared[l - 1] & row;
        shared[0] |= row;
      }
      const Word wanted = wanted_word(node, w);
      for (const Word enough : shared) deficit += count_bits(wanted & ~enough);
      lacking_[node * words + w] = wanted & ~shared.back();
      lack_count_[node] += count_bits(lacking_[node * words + w]);
    }
    lacks += lack_count_[node];
    if (lack_count_[node] == 0) continue;
    trouble_place_[node] = board_.troubled_count;
    troubled_[at(board_.troubled_count++)] = static_cast<std::int32_t>(node);
  }
  board_.deficit = deficit / 2;  // each pair was met from both ends
  board_.lack_pairs = static_cast<std::int32_t>(lacks / 2);
  board_.lacking = lacking_.data();
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
  // Step by step, to catch the very move whose judgement was wrong; for big clusters now and then.
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
  return measured.deficit == board_.deficit && static_cast<int>(measured.uncovered.size()) == board_.lack_pairs &&
         objective_.cost(now) == board_.cost;
}

Dice throw_dice(Random& random) { return {{random.next(), random.next(), random.next(), random.next()}}; }

}  // namespace fnn
