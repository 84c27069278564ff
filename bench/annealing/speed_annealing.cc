// SPDX-License-Identifier: GPL-3.0-or-later
// speed-annealing: a textbook simulated annealing for clusters whose links differ in speed, a rival of the designer in
// `make bench`.
//
//   speed-annealing FILE SEED SECONDS
//
// It shares no code with the designer. FILE has the numbers of nodes and switches, then a line per node, the number of its
// NICs and `medium Mb/s` of each, then a line per switch, the number of its groups and `count medium Mb/s` of each. A step
// moves a random NIC to a random group of ports of its medium; if that is full, a random NIC there takes the old port in
// exchange. The energy is the sum of a penalty for each pair with less than a required bandwidth, a smaller one for each
// NIC with a link slower than it is, and minus the bandwidths of all pairs. Rounds that require the bandwidth of the best
// worst pair so far alternate with rounds that require more. In a round the temperature falls geometrically. Each round
// starts at random, and every second one has twice as many steps as those before.
//
// Prints one JSON object with the best wiring by worst pair, slow NICs and mean, in this order. Exits 0 when every pair
// shares a switch, else 3.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <numeric>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

namespace {

constexpr int kNone = -1;

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

struct Nic {
  int node, media, mbps;
};

struct Group {
  int device, media, mbps, ports;
};

using Rank = std::tuple<int, int, long long>;  // worst pair, minus slow NICs, sum of the bandwidths; more is better

class Annealing {
 public:
  explicit Annealing(std::uint64_t seed) : random_(seed) {}

  bool read(const char* path) {
    std::ifstream file(path);
    int switches = 0;
    file >> nodes_ >> switches;
    for (int node = 0; node < nodes_; ++node) {
      int count = 0;
      for (file >> count; count > 0; --count) {
        Nic nic{node, 0, 0};
        file >> nic.media >> nic.mbps;
        nics_.push_back(nic);
      }
    }
    for (int device = 0; device < switches; ++device) {
      int count = 0;
      for (file >> count; count > 0; --count) {
        Group group{device, 0, 0, 0};
        file >> group.ports >> group.media >> group.mbps;
        groups_.push_back(group);
      }
    }
    link_.assign(at(nodes_), std::vector<int>(at(switches), 0));
    return static_cast<bool>(file);
  }

  /// One round from a random state.
  void round(std::int64_t steps, bool more, double deadline) {
    required_ = std::max(1, std::get<0>(best_) + (more ? 1 : 0));
    clear();
    auto best_here = std::pair(-static_cast<int>(nics_.size()) - 1, 0LL);
    const double start = 2000.0 * nodes_;  // in Mb/s of pairs: what a fast link is worth
    double temperature = start;
    const double factor = std::pow(20.0 / start, 1.0 / static_cast<double>(steps));
    for (std::int64_t step = 0; step < steps; ++step, temperature *= factor) {
      if (step % 1024 == 0 && cpu_seconds() > deadline) return;
      propose(temperature);
      if (short_ > 0 || std::pair(-slow_, sum_) <= best_here) continue;
      best_here = {-slow_, sum_};
      best_ = std::max(best_, Rank{worst(), -slow_, sum_});
    }
  }

  const Rank& best() const { return best_; }
  int nodes() const { return nodes_; }

 private:
  static std::size_t at(int index) { return static_cast<std::size_t>(index); }
  int below(std::size_t n) { return static_cast<int>(random_() % n); }
  double chance() { return static_cast<double>(random_() >> 11U) * 0x1.0p-53; }

  int bandwidth(int a, int b) const {
    int sum = 0;
    for (std::size_t device = 0; device < link_[0].size(); ++device) sum += std::min(link_[at(a)][device], link_[at(b)][device]);
    return sum;
  }

  int worst() const {
    int worst = 1 << 30;
    for (int a = 0; a < nodes_; ++a) {
      for (int b = a + 1; b < nodes_; ++b) worst = std::min(worst, bandwidth(a, b));
    }
    return worst;
  }

  void clear() {
    group_of_.assign(nics_.size(), kNone);
    on_.assign(groups_.size(), {});
    for (auto& links : link_) std::fill(links.begin(), links.end(), 0);
    slow_ = static_cast<int>(nics_.size());
    sum_ = 0;
    short_ = static_cast<long long>(nodes_) * (nodes_ - 1) / 2;
  }

  /// Adds (sign 1) or removes (-1) what the pairs of a node contribute; a pair with `except` only if that is kNone.
  void count(int node, int except, int sign) {
    for (int peer = 0; peer < nodes_; ++peer) {
      if (peer == node || peer == except) continue;
      const int now = bandwidth(node, peer);
      sum_ += sign * now;
      short_ += now < required_ ? sign : 0;
    }
  }

  void plug(int nic, int group) {
    group_of_[at(nic)] = group;
    if (group == kNone) return;
    on_[at(group)].push_back(nic);
    const int mbps = std::min(nics_[at(nic)].mbps, groups_[at(group)].mbps);
    link_[at(nics_[at(nic)].node)][at(groups_[at(group)].device)] = mbps;
    slow_ -= mbps == nics_[at(nic)].mbps ? 1 : 0;
  }

  void unplug(int nic) {
    const int group = group_of_[at(nic)];
    if (group == kNone) return;
    std::erase(on_[at(group)], nic);
    link_[at(nics_[at(nic)].node)][at(groups_[at(group)].device)] = 0;
    slow_ += groups_[at(group)].mbps >= nics_[at(nic)].mbps ? 1 : 0;
    group_of_[at(nic)] = kNone;
  }

  bool may_plug(int nic, int group, int leaving) const {
    if (group == kNone) return true;
    for (std::size_t other = 0; other < nics_.size(); ++other) {
      const int there = group_of_[other];
      if (nics_[other].node != nics_[at(nic)].node || there == kNone || static_cast<int>(other) == nic) continue;
      if (static_cast<int>(other) != leaving && groups_[at(there)].device == groups_[at(group)].device) return false;
    }
    return true;
  }

  double energy() const {
    const double fast = 10000.0 * nodes_;  // more than a link can be worth
    return 2 * fast * static_cast<double>(short_) + fast * slow_ - static_cast<double>(sum_);
  }

  void propose(double temperature) {
    const int nic = below(nics_.size());
    const int to = below(groups_.size());
    const int from = group_of_[at(nic)];
    if (to == from || groups_[at(to)].media != nics_[at(nic)].media) return;
    int other = kNone;
    if (static_cast<int>(on_[at(to)].size()) == groups_[at(to)].ports) other = on_[at(to)][at(below(on_[at(to)].size()))];
    if (!may_plug(nic, to, other) || (other != kNone && !may_plug(other, from, nic))) return;
    const double before = energy();
    const int node = nics_[at(nic)].node;
    const int peer = other == kNone || nics_[at(other)].node == node ? kNone : nics_[at(other)].node;
    exchange(nic, to, other, from, node, peer);
    const double rise = energy() - before;
    if (rise > 0 && chance() >= std::exp(-rise / temperature)) exchange(nic, from, other, to, node, peer);
  }

  void exchange(int nic, int to, int other, int from, int node, int peer) {
    count(node, kNone, -1);
    if (peer != kNone) count(peer, node, -1);
    unplug(nic);
    if (other != kNone) {
      unplug(other);
      plug(other, from);
    }
    plug(nic, to);
    count(node, kNone, 1);
    if (peer != kNone) count(peer, node, 1);
  }

  std::mt19937_64 random_;
  int nodes_ = 0;
  std::vector<Nic> nics_;
  std::vector<Group> groups_;
  std::vector<int> group_of_;           ///< per NIC
  std::vector<std::vector<int>> on_;    ///< per group, its NICs
  std::vector<std::vector<int>> link_;  ///< per node and switch, Mb/s
  int required_ = 0;                    ///< Mb/s
  int slow_ = 0;
  long long sum_ = 0;
  long long short_ = 0;  ///< pairs with less than the required bandwidth
  Rank best_{0, 0, -1};
};

}  // namespace

int main(int count, char** words) {
  Annealing annealing(count == 4 ? std::strtoull(words[2], nullptr, 10) : 0);
  if (count != 4 || !annealing.read(words[1])) {
    std::fprintf(stderr, "expected FILE SEED SECONDS\n");
    return 2;
  }
  const double seconds = std::strtod(words[3], nullptr);
  for (std::int64_t steps = 50000; cpu_seconds() < seconds; steps *= 2) {
    annealing.round(steps, false, seconds);
    annealing.round(steps, true, seconds);
  }
  const auto& [worst, minus_slow, sum] = annealing.best();
  const double pairs = static_cast<double>(annealing.nodes()) * (annealing.nodes() - 1) / 2;
  std::printf("{\"found\": %s, \"worst\": %.6f, \"below\": %d, \"mean\": %.9f}\n", worst > 0 ? "true" : "false",
              worst / 1000.0, -minus_slow, static_cast<double>(sum) / 1000.0 / pairs);
  return worst > 0 ? 0 : 3;
}
