// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/operators.h"

namespace fnn {
namespace {

using MaybeMove = std::optional<Move>;

int some_group(const Wiring& wiring, int media, Random& random) {
  const std::vector<int>& groups = wiring.limits().groups_by_media[Limits::at(media)];
  return groups.empty() ? kDummy : groups[random.below(groups.size())];
}

/// `nic` and some NIC on `group` change places.
MaybeMove exchange_with(const Wiring& wiring, const Movable& movable, int nic, int group, Random& random) {
  const std::vector<int>& there = wiring.nics_on(group);
  if (there.empty() || wiring.is_on(wiring.node(nic), wiring.device_of(group))) return std::nullopt;
  const int other = there[random.below(there.size())];
  const int from = wiring.device(nic);
  if (!movable.has(other)) return std::nullopt;
  if (from != kDummy && wiring.is_on(wiring.node(other), from)) return std::nullopt;
  return Move{nic, group, other, wiring.group(nic)};
}

}  // namespace

Movable::Movable(const Limits& limits) : Movable(limits, std::vector<bool>(limits.nics.size(), false)) {}

Movable::Movable(const Limits& limits, const std::vector<bool>& fixed) : allowed_(limits.nics.size(), false) {
  for (std::size_t nic = 0; nic < limits.nics.size(); ++nic) {
    allowed_[nic] = !fixed[nic];
    if (!fixed[nic]) nics_.push_back(static_cast<int>(nic));
  }
}

MaybeMove Exchange::propose(const Neighborhoods& now, const Movable& movable, Random& random) const {
  const Wiring& wiring = now.wiring();
  const int nic = movable.pick(random);
  const int group = some_group(wiring, wiring.media(nic), random);
  if (group == kDummy) return std::nullopt;
  return exchange_with(wiring, movable, nic, group, random);
}

MaybeMove Relocate::propose(const Neighborhoods& now, const Movable& movable, Random& random) const {
  const Wiring& wiring = now.wiring();
  const int nic = movable.pick(random);
  const int group = some_group(wiring, wiring.media(nic), random);
  if (group == kDummy || !wiring.can_plug(nic, group)) return std::nullopt;
  return Move{nic, group, kNobody, kDummy};
}

MaybeMove Shift::propose(const Neighborhoods& now, const Movable& movable, Random& random) const {
  const Wiring& wiring = now.wiring();
  const int other = movable.pick(random);
  const int middle = wiring.group(other);
  const int free = some_group(wiring, wiring.media(other), random);
  if (middle == kDummy || free == kDummy || !wiring.can_plug(other, free)) return std::nullopt;
  const int nic = movable.pick(random);
  const bool fits = wiring.media(nic) == wiring.media(other) && wiring.group(nic) != free &&
                    !wiring.is_on(wiring.node(nic), wiring.device_of(middle));
  if (!fits) return std::nullopt;
  return Move{nic, middle, other, free};
}

MaybeMove Bridge::propose(const Neighborhoods& now, const Movable& movable, Random& random) const {
  if (now.uncovered() == 0) return std::nullopt;
  const Wiring& wiring = now.wiring();
  const Limits& limits = wiring.limits();
  auto [mover, peer] = now.some_uncovered_pair(random);
  if (random.one_in(2)) std::swap(mover, peer);
  const auto some_nic = [&](int node) {
    return limits.first_nic[Limits::at(node)] + static_cast<int>(random.below(Limits::at(limits.nic_count(node))));
  };
  const int target = some_nic(peer);
  const int nic = some_nic(mover);
  if (wiring.group(target) == kDummy || !movable.has(nic)) return std::nullopt;
  const int group = limits.group_of(wiring.device(target), wiring.media(nic));
  if (group == kDummy) return std::nullopt;
  if (wiring.can_plug(nic, group)) return Move{nic, group, kNobody, kDummy};
  const MaybeMove move = exchange_with(wiring, movable, nic, group, random);
  // Driving out the very node that was to be met would lead nowhere.
  return move && move->other == target ? std::nullopt : move;
}

}  // namespace fnn
