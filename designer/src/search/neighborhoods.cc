// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/neighborhoods.h"

#include <cassert>

namespace fnn {

using std::size_t;

namespace {
size_t at(int index) { return Limits::at(index); }
}  // namespace

Neighborhoods::Neighborhoods(Wiring wiring)
    : wiring_(wiring.limits()),
      nodes_(at(wiring.limits().node_count())),
      shared_(nodes_ * nodes_, 0),
      near_(nodes_, nodes_),
      once_(nodes_, nodes_),
      missing_(nodes_, 0),
      place_(nodes_, 0) {
  for (size_t node = 0; node < nodes_; ++node) {
    near_.insert(node, node);
    note_uncovered(node, static_cast<int>(nodes_) - 1);
  }
  uncovered_ = static_cast<int>(nodes_ * (nodes_ - 1) / 2);
  for (size_t nic = 0; nic < wiring.limits().nics.size(); ++nic) {
    const int group = wiring.group(static_cast<int>(nic));
    if (group != kDummy) join(static_cast<int>(nic), group);
  }
}

std::pair<int, int> Neighborhoods::some_uncovered_pair(Random& random) const {
  assert(!troubled_.empty());
  const int node = troubled_[random.below(troubled_.size())];
  size_t skip = random.below(at(missing_[at(node)]));
  const Word* near = near_.row(at(node));
  for (size_t w = 0;; ++w) {
    assert(w < near_.words());
    const size_t tail = nodes_ - w * 64;
    Word far = ~near[w] & (tail < 64 ? (Word{1} << tail) - 1 : ~Word{0});
    const auto here = static_cast<size_t>(count_bits(far));
    if (skip >= here) {
      skip -= here;
      continue;
    }
    for (; skip > 0; --skip) far &= far - 1;
    return {node, static_cast<int>(w * 64) + std::countr_zero(far)};
  }
}

int Neighborhoods::lost(int node, int from, int to) const {
  if (from == kDummy) return 0;
  const Word* leaving = wiring_.members().row(at(from));
  const Word* joining = to == kDummy ? nullptr : wiring_.members().row(at(to));
  const Word* once = once_.row(at(node));
  int count = 0;
  for (size_t w = 0; w < near_.words(); ++w) {
    count += count_bits(leaving[w] & once[w] & ~(joining != nullptr ? joining[w] : Word{0}));
  }
  return count;
}

int Neighborhoods::gained(int node, int to) const {
  if (to == kDummy) return 0;
  const Word* joining = wiring_.members().row(at(to));
  const Word* near = near_.row(at(node));
  int count = 0;
  for (size_t w = 0; w < near_.words(); ++w) count += count_bits(joining[w] & ~near[w]);
  return count;
}

int Neighborhoods::judge_replug(int nic, int group) const {
  const int node = wiring_.node(nic);
  const int to = wiring_.device_of(group);
  return lost(node, wiring_.device(nic), to) - gained(node, to);
}

int Neighborhoods::judge_exchange(int nic, int other) const {
  const int node = wiring_.node(nic);
  const int peer = wiring_.node(other);
  const int from = wiring_.device(nic);
  const int to = wiring_.device(other);
  // The two nodes pass each other: what they share stays the same, though each sees the other
  // standing on the switch it moves to.
  const int passing = !apart(node, peer) ? 0 : (from != kDummy ? 1 : 0) + (to != kDummy ? 1 : 0);
  return lost(node, from, to) - gained(node, to) + lost(peer, to, from) - gained(peer, from) + passing;
}

int Neighborhoods::judge_shift(int nic, int other, int group) const {
  const int node = wiring_.node(nic);
  const int peer = wiring_.node(other);
  const int from = wiring_.device(nic);
  const int middle = wiring_.device(other);
  const int to = wiring_.device_of(group);
  const auto on = [&](int who, int device) { return device != kDummy && wiring_.is_on(who, device); };
  const int before = shared(node, peer);
  const int after = before - (on(peer, from) ? 1 : 0) + (on(node, to) && from != to ? 1 : 0);
  // The pair of the two is taken out of both sums and judged by itself.
  const int seen = (apart(node, peer) ? 1 : 0) + (apart(node, peer) && on(node, to) ? 1 : 0);
  const int pair = (after == 0 ? 1 : 0) - (before == 0 ? 1 : 0);
  return lost(node, from, middle) - gained(node, middle) + lost(peer, middle, to) - gained(peer, to) + seen + pair;
}

int Neighborhoods::judge(const Move& move) const {
  if (move.other == kNobody) return judge_replug(move.nic, move.to);
  if (move.other_to == wiring_.group(move.nic)) return judge_exchange(move.nic, move.other);
  return judge_shift(move.nic, move.other, move.other_to);
}

void Neighborhoods::make(const Move& move, [[maybe_unused]] int judged) {
  [[maybe_unused]] const int before = uncovered_;
  // Both leave before either joins, because each may wait for the port of the other.
  if (wiring_.group(move.nic) != kDummy) leave(move.nic);
  if (move.other != kNobody) replug(move.other, move.other_to);
  replug(move.nic, move.to);
  assert(uncovered_ == before + judged);
}

void Neighborhoods::replug(int nic, int group) {
  if (wiring_.group(nic) != kDummy) leave(nic);
  if (group != kDummy) join(nic, group);
}

void Neighborhoods::join(int nic, int group) {
  const size_t node = at(wiring_.node(nic));
  for_each_member(wiring_.members().row(at(wiring_.device_of(group))), near_.words(),
                  [&](size_t peer) { add_shared(node, peer); });
  wiring_.plug(nic, group);
}

void Neighborhoods::leave(int nic) {
  const size_t node = at(wiring_.node(nic));
  const size_t device = at(wiring_.device(nic));
  wiring_.unplug(nic);
  for_each_member(wiring_.members().row(device), near_.words(), [&](size_t peer) { remove_shared(node, peer); });
}

void Neighborhoods::add_shared(size_t node, size_t peer) {
  const int now = ++shared_[node * nodes_ + peer];
  shared_[peer * nodes_ + node] = static_cast<std::uint16_t>(now);
  if (now == 1) {
    near_.insert(node, peer);
    near_.insert(peer, node);
    once_.insert(node, peer);
    once_.insert(peer, node);
    note_uncovered(node, -1);
    note_uncovered(peer, -1);
    --uncovered_;
  } else if (now == 2) {
    once_.erase(node, peer);
    once_.erase(peer, node);
  }
}

void Neighborhoods::remove_shared(size_t node, size_t peer) {
  const int now = --shared_[node * nodes_ + peer];
  shared_[peer * nodes_ + node] = static_cast<std::uint16_t>(now);
  if (now == 0) {
    near_.erase(node, peer);
    near_.erase(peer, node);
    once_.erase(node, peer);
    once_.erase(peer, node);
    note_uncovered(node, 1);
    note_uncovered(peer, 1);
    ++uncovered_;
  } else if (now == 1) {
    once_.insert(node, peer);
    once_.insert(peer, node);
  }
}

void Neighborhoods::note_uncovered(size_t node, int change) {
  const bool was_troubled = missing_[node] > 0;
  missing_[node] += change;
  const bool is_troubled = missing_[node] > 0;
  if (is_troubled && !was_troubled) {
    place_[node] = static_cast<int>(troubled_.size());
    troubled_.push_back(static_cast<int>(node));
  } else if (was_troubled && !is_troubled) {
    const int last = troubled_.back();
    troubled_[at(place_[node])] = last;
    place_[at(last)] = place_[node];
    troubled_.pop_back();
  }
}

}  // namespace fnn
