// SPDX-License-Identifier: GPL-3.0-or-later
// plain-annealing: a textbook simulated annealing for flat neighborhoods, a rival of the designer in `make bench`.
//
//   plain-annealing NODES NICS PORTS SWITCHES SEED SECONDS [PAIRS]
//
// It shares no code with the designer. The state is a set of at most NICS switches per node and of at most PORTS nodes
// per switch. A step moves a random NIC to a random switch; if that switch is full, a random NIC there takes the old
// port in exchange. The cost is the number of wanted pairs without a common switch. Per node two bit sets hold the
// peers that share no switch and those that share one, so that a step is evaluated by a few words of population count.
// The temperature falls geometrically, from above to below the temperatures at which dense designs form. A round that
// ends with uncovered pairs is followed by one of twice as many steps from a random state. Without PAIRS every pair is
// wanted; PAIRS is a file with a wanted pair "A B" in each line.
//
// Prints one JSON object: verdict, processor seconds, fewest uncovered pairs, steps, and when found the switches per
// node. Exits 0 when it found a design, else 3.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>
#include <vector>

namespace {

using Word = std::uint64_t;
constexpr int kMostWords = 4;  // 256 nodes
constexpr int kNone = -1;

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// splitmix64 (Steele, Lea, Flood 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint32_t next() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15U;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return static_cast<std::uint32_t>((z ^ (z >> 31U)) >> 32U);
  }
  int below(int n) { return static_cast<int>((static_cast<std::uint64_t>(next()) * static_cast<std::uint64_t>(n)) >> 32U); }

 private:
  std::uint64_t state_;
};

struct Instance {
  int nodes, nics, ports, switches;
  std::vector<std::uint8_t> wanted;  ///< nodes x nodes
};

template <int kWords>
class Annealing {
 public:
  using Row = std::array<Word, kWords>;

  Annealing(const Instance& instance, std::uint64_t seed) : of_(instance), random_(seed) {}

  int uncovered() const { return uncovered_; }
  std::int64_t steps() const { return steps_; }
  const std::vector<int>& switch_of() const { return switch_of_; }

  void start_at_random() {
    const int nics = of_.nodes * of_.nics;
    switch_of_.assign(index(nics), kNone);
    place_.assign(index(nics), 0);
    on_.assign(index(of_.switches), {});
    members_.assign(index(of_.switches), Row{});
    shared_.assign(index(of_.nodes * of_.nodes), 0);
    none_.assign(index(of_.nodes), Row{});
    one_.assign(index(of_.nodes), Row{});
    uncovered_ = 0;
    for (int i = 0; i < of_.nodes; ++i) {
      for (int j = 0; j < of_.nodes; ++j) {
        if (i == j || of_.wanted[index(i * of_.nodes + j)] == 0) continue;
        toggle(none_[index(i)], j);
        if (i < j) ++uncovered_;
      }
    }
    std::vector<int> order(index(nics));
    for (int nic = 0; nic < nics; ++nic) order[index(nic)] = nic;
    for (int nic = nics - 1; nic > 0; --nic) std::swap(order[index(nic)], order[index(random_.below(nic + 1))]);
    for (const int nic : order) plug_into_emptiest(nic);
  }

  void round(std::int64_t steps, double first, double last, double deadline) {
    constexpr int kTemperatures = 64;
    const double ratio = std::pow(last / first, 1.0 / kTemperatures);
    double temperature = first;
    for (int t = 0; t < kTemperatures && uncovered_ > 0 && cpu_seconds() < deadline; ++t, temperature *= ratio) {
      for (int rise = 0; rise < kWorst; ++rise) {
        accept_[index(rise)] = static_cast<std::uint32_t>(4294967295.0 * std::exp(-rise / temperature));
      }
      for (std::int64_t s = 0; s < steps / kTemperatures && uncovered_ > 0; ++s) step();
    }
  }

 private:
  static constexpr int kWorst = 32;  // steps that uncover as many pairs are rejected

  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  static bool has(const Row& row, int node) { return (row[index(node >> 6)] >> (node & 63) & 1U) != 0; }
  static void toggle(Row& row, int node) { row[index(node >> 6)] ^= Word{1} << (node & 63); }

  void plug_into_emptiest(int nic) {
    int best = kNone;
    const int first = random_.below(of_.switches);
    for (int k = 0; k < of_.switches; ++k) {
      const int s = (first + k) % of_.switches;
      const std::size_t load = on_[index(s)].size();
      if (load == index(of_.ports) || has(members_[index(s)], nic / of_.nics)) continue;
      if (best == kNone || load < on_[index(best)].size()) best = s;
    }
    if (best != kNone) join(nic, best);
  }

  /// The rise of the cost when `node` leaves `from` (or an unused state) and joins `to`, except for the pair with `but`.
  int rise(int node, int from, int to, int but) const {
    int rise = 0;
    const Row& one = one_[index(node)];
    const Row& none = none_[index(node)];
    for (std::size_t w = 0; w < kWords; ++w) {
      const Word left = from == kNone ? 0 : members_[index(from)][w];
      const Word joined = to == kNone ? 0 : members_[index(to)][w];
      Word mask = ~Word{0};
      if (but != kNone && index(but >> 6) == w) mask = ~(Word{1} << (but & 63));
      rise += __builtin_popcountll(left & ~joined & one[w] & mask);
      rise -= __builtin_popcountll(joined & ~left & none[w] & mask);
    }
    return rise;
  }

  void change_pair(int a, int b, int by) {
    std::uint8_t& count = shared_[index(a * of_.nodes + b)];
    const int before = count;
    count = static_cast<std::uint8_t>(count + by);
    shared_[index(b * of_.nodes + a)] = count;
    if (of_.wanted[index(a * of_.nodes + b)] == 0) return;
    if (before == 0 || count == 0) {
      toggle(none_[index(a)], b);
      toggle(none_[index(b)], a);
      uncovered_ += count == 0 ? 1 : -1;
    }
    if (before == 1 || count == 1) {
      toggle(one_[index(a)], b);
      toggle(one_[index(b)], a);
    }
  }

  void leave(int nic) {
    const int s = switch_of_[index(nic)];
    if (s == kNone) return;
    std::vector<int>& on = on_[index(s)];
    const int last = on.back();
    on[index(place_[index(nic)])] = last;
    place_[index(last)] = place_[index(nic)];
    on.pop_back();
    switch_of_[index(nic)] = kNone;
    toggle(members_[index(s)], nic / of_.nics);
    for (const int other : on) change_pair(nic / of_.nics, other / of_.nics, -1);
  }

  void join(int nic, int s) {
    if (s == kNone) return;
    std::vector<int>& on = on_[index(s)];
    for (const int other : on) change_pair(nic / of_.nics, other / of_.nics, 1);
    place_[index(nic)] = static_cast<int>(on.size());
    on.push_back(nic);
    switch_of_[index(nic)] = s;
    toggle(members_[index(s)], nic / of_.nics);
  }

  void step() {
    ++steps_;
    const int nic = random_.below(of_.nodes * of_.nics);
    const int node = nic / of_.nics;
    const int from = switch_of_[index(nic)];
    const int to = random_.below(of_.switches);
    if (to == from || has(members_[index(to)], node)) return;
    const std::vector<int>& there = on_[index(to)];
    if (static_cast<int>(there.size()) < of_.ports) {
      if (!accepted(rise(node, from, to, kNone))) return;
      leave(nic);
      join(nic, to);
      return;
    }
    const int other = there[index(random_.below(of_.ports))];
    const int peer = other / of_.nics;
    if (from != kNone && has(members_[index(from)], peer)) return;
    // The two share as many switches as before.
    if (!accepted(rise(node, from, to, peer) + rise(peer, to, from, node))) return;
    leave(nic);
    leave(other);
    join(nic, to);
    join(other, from);
  }

  bool accepted(int rise) { return rise <= 0 || (rise < kWorst && random_.next() < accept_[index(rise)]); }

  const Instance& of_;
  Random random_;
  std::int64_t steps_ = 0;
  int uncovered_ = 0;
  std::vector<int> switch_of_;         ///< per NIC
  std::vector<int> place_;             ///< per NIC, its index on the switch
  std::vector<std::vector<int>> on_;   ///< per switch, its NICs
  std::vector<Row> members_;           ///< per switch, its nodes
  std::vector<std::uint8_t> shared_;   ///< nodes x nodes: common switches
  std::vector<Row> none_;              ///< per node, the wanted peers that share no switch with it
  std::vector<Row> one_;               ///< per node, those that share exactly one
  std::array<std::uint32_t, kWorst> accept_{};
};

constexpr double kFirstTemperature = 1.0;  // in uncovered pairs
constexpr double kLastTemperature = 0.3;
constexpr double kFirstSteps = 1e6;  // of a round, for 256 NICs

template <int kWords>
int run(const Instance& instance, std::uint64_t seed, double seconds) {
  Annealing<kWords> annealing(instance, seed);
  int fewest = instance.nodes * instance.nodes;
  const double size = static_cast<double>(instance.nodes * instance.nics) / 256.0;
  auto steps = static_cast<std::int64_t>(kFirstSteps * std::max(1.0, size * size));
  for (; fewest > 0 && cpu_seconds() < seconds; steps *= 2) {
    annealing.start_at_random();
    annealing.round(steps, kFirstTemperature, kLastTemperature, seconds);
    fewest = std::min(fewest, annealing.uncovered());
  }
  std::string wiring;
  for (int node = 0; fewest == 0 && node < instance.nodes; ++node) {
    wiring += node == 0 ? ", \"switches\": [[" : "], [";
    bool first = true;
    for (int nic = node * instance.nics; nic < (node + 1) * instance.nics; ++nic) {
      const int s = annealing.switch_of()[static_cast<std::size_t>(nic)];
      if (s == kNone) continue;
      wiring += (first ? "" : ", ") + std::to_string(s);
      first = false;
    }
  }
  if (!wiring.empty()) wiring += "]]";
  std::printf("{\"verdict\": \"%s\", \"seconds\": %.3f, \"uncovered\": %d, \"steps\": %lld%s}\n",
              fewest == 0 ? "found" : "not-found", cpu_seconds(), fewest, static_cast<long long>(annealing.steps()),
              wiring.c_str());
  return fewest == 0 ? EXIT_SUCCESS : 3;
}

bool read_pairs(const std::string& path, Instance& instance) {
  std::fill(instance.wanted.begin(), instance.wanted.end(), std::uint8_t{0});
  std::ifstream file(path);
  int a = 0;
  int b = 0;
  while (file >> a >> b) {
    if (a < 0 || b < 0 || a >= instance.nodes || b >= instance.nodes) return false;
    instance.wanted[static_cast<std::size_t>(a * instance.nodes + b)] = 1;
    instance.wanted[static_cast<std::size_t>(b * instance.nodes + a)] = 1;
  }
  return file.eof();
}

int fail(const char* message) {
  std::fprintf(stderr, "%s\n", message);
  return 2;
}

}  // namespace

int main(int count, char** words) {
  const std::vector<std::string> arguments(words + 1, words + count);
  if (arguments.size() != 6 && arguments.size() != 7) {
    return fail("expected NODES NICS PORTS SWITCHES SEED SECONDS [PAIRS]");
  }
  Instance instance{std::stoi(arguments[0]), std::stoi(arguments[1]), std::stoi(arguments[2]),
                    std::stoi(arguments[3]), {}};
  instance.wanted.assign(static_cast<std::size_t>(instance.nodes * instance.nodes), 1);
  if (arguments.size() == 7 && !read_pairs(arguments[6], instance)) return fail("cannot read the pairs");
  const std::uint64_t seed = std::stoull(arguments[4]);
  const double seconds = std::stod(arguments[5]);
  if (instance.nodes <= 64) return run<1>(instance, seed, seconds);
  if (instance.nodes <= 128) return run<2>(instance, seed, seconds);
  if (instance.nodes <= 64 * kMostWords) return run<kMostWords>(instance, seed, seconds);
  return fail("at most 256 nodes");
}
