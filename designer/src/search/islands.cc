// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/islands.h"

#include <algorithm>
#include <atomic>
#include <thread>

#include "base/stopping.h"
#include "search/wiring_text.h"

namespace fnn {
namespace {

constexpr std::int64_t kBetweenMigrations = 10;  // rounds

/// Distinct for all islands of all seeds in practical use.
std::uint64_t island_seed(std::uint64_t seed, std::size_t island) {
  constexpr std::uint64_t kFarAway = 0xD1342543DE82EF95U;
  return seed * kIslands + island % kIslands + island / kIslands * kFarAway;
}

class Archipelago {
 public:
  Archipelago(const std::function<Genetic(std::size_t)>& settle, std::size_t islands, std::size_t threads)
      : settle_(settle), threads_(std::min(threads, islands)), islands_(islands), abandoned_(islands) {}

  /// Runs one generation on every island; the first round creates the islands. Threads take islands
  /// in order, so a single thread that succeeds early skips the rest of the round.
  void round() {
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
      for (std::size_t i = next++; i < islands_.size() && !abandoned_[i]; i = next++) visit(i);
    };
    std::vector<std::jthread> helpers;
    for (std::size_t i = 1; i < threads_; ++i) helpers.emplace_back(work);
    work();
  }

  /// Sends the migrants of every island to the next island of the ring. With several processes,
  /// `abroad` sends those of the last island to the next process and returns those for the first.
  using Abroad = std::function<std::vector<Wiring>(const std::vector<Wiring>&)>;
  void migrate(const Abroad& abroad) {
    std::vector<std::vector<Wiring>> travellers(islands_.size());
    for (std::size_t i = 0; i < islands_.size(); ++i) travellers[(i + 1) % islands_.size()] = islands_[i]->emigrants();
    travellers[0] = abroad(travellers[0]);
    for (std::size_t i = 0; i < islands_.size(); ++i) {
      for (const Wiring& wiring : travellers[i]) islands_[i]->immigrate(wiring);
    }
  }

  Json save() const {
    Json states = Json::array();
    for (const auto& island : islands_) states.push_back(island->save());
    return states;
  }

  /// False when the states do not fit these islands.
  bool load(const Json& states) {
    if (!states.is_array() || states.size() != islands_.size()) return false;
    for (std::size_t i = 0; i < islands_.size(); ++i) {
      islands_[i].emplace(settle_(i));
      if (!islands_[i]->load(states[i])) return false;
    }
    return true;
  }

  /// Adds a wiring that another process found.
  void welcome(const Wiring& wiring) { islands_[0]->immigrate(wiring); }

  Individual judged(const Wiring& wiring) const { return islands_[0]->judged(wiring); }

  /// The lowest numbered island that finished, else the best of all.
  const Genetic& winner() const {
    const Genetic* best = nullptr;
    for (const auto& island : islands_) {
      if (!island) continue;
      if (island->finished()) return *island;
      if (best == nullptr || island->best().better_than(best->best())) best = &*island;
    }
    return *best;
  }

 private:
  void visit(std::size_t i) {
    if (!islands_[i]) islands_[i].emplace(settle_(i));
    islands_[i]->advance(abandoned_[i]);
    if (!islands_[i]->finished()) return;
    // Islands with higher numbers cannot win this round any more.
    for (std::size_t later = i + 1; later < islands_.size(); ++later) abandoned_[later] = true;
  }

  const std::function<Genetic(std::size_t)>& settle_;
  std::size_t threads_;
  std::vector<std::optional<Genetic>> islands_;
  std::vector<std::atomic<bool>> abandoned_;
};

/// One search run: its rounds, migrations and checkpoints.
class Voyage {
 public:
  Voyage(Archipelago& archipelago, const Budget& budget, const Report& report)
      : archipelago_(archipelago), budget_(budget), report_(report) {}

  Outcome run() {
    if (budget_.keeper != nullptr) resume(budget_.keeper->resume());
    if (budget_.fleet != nullptr) budget_.fleet->set_out();
    while (goes_on()) round();
    const Genetic& winner = archipelago_.winner();
    Outcome outcome{winner.best(), winner.finished(), generations_};
    if (budget_.fleet != nullptr) share(outcome);
    if (budget_.keeper != nullptr && !outcome.finished) give_up(outcome.best);
    return outcome;
  }

 private:
  bool goes_on() const {
    if (!begun_) return true;  // there must be something to return
    return budget_.fleet == nullptr ? wants_more() : budget_.fleet->agree(wants_more());
  }

  bool wants_more() const {
    if (archipelago_.winner().finished() || stop_requested()) return false;
    if (budget_.generations && generations_ >= *budget_.generations) return false;
    return std::chrono::steady_clock::now() < budget_.deadline;
  }

  void round() {
    // All processes have voted for this round, so none waits for migrants that never arrive.
    if (rounds_ > 0 && rounds_ % kBetweenMigrations == 0) migrate();
    archipelago_.round();
    begun_ = true;
    if (stop_requested()) return;  // an interrupted round does not count
    ++generations_;
    ++rounds_;
    report_(generations_, archipelago_.winner().best());
    if (archipelago_.winner().finished()) return;
    if (budget_.keeper != nullptr) keep();
  }

  void keep() { budget_.keeper->keep({{"generations", generations_}, {"islands", archipelago_.save()}}); }

  void migrate() {
    archipelago_.migrate([&](const std::vector<Wiring>& leaving) {
      if (budget_.fleet == nullptr) return leaving;
      std::vector<std::string> texts;
      for (const Wiring& wiring : leaving) texts.push_back(write_wiring(wiring));
      std::vector<Wiring> arriving;
      for (const std::string& text : budget_.fleet->pass_on(texts)) arriving.push_back(*read_wiring(text, limits()));
      return arriving;
    });
  }

  /// Every process reports its result; rank 0 keeps the best, of equals the first.
  void share(Outcome& mine) {
    const Json result = {{"finished", mine.finished}, {"wiring", write_wiring(mine.best.wiring)}};
    for (const Json& other : budget_.fleet->gather(result)) {
      const bool finished = other.at("finished");
      Individual best = archipelago_.judged(*read_wiring(other.at("wiring").get<std::string>(), limits()));
      const bool better = finished != mine.finished ? finished : !finished && best.better_than(mine.best);
      if (!better) continue;
      mine.best = std::move(best);
      mine.finished = finished;
    }
  }

  void give_up(const Individual& best) {
    // Saves the results of the other processes. Before the first full round some islands do not exist.
    if (budget_.fleet != nullptr && generations_ > 0) {
      archipelago_.welcome(best.wiring);
      keep();
    }
    budget_.keeper->give_up();
  }

  const Limits& limits() const { return archipelago_.winner().best().wiring.limits(); }

  void resume(const Json& state) {
    if (state.is_null()) return;
    const Json generations = state.value("generations", Json());
    if (!generations.is_number_integer() || generations < 1 || !archipelago_.load(state.value("islands", Json()))) {
      budget_.keeper->refuse();
    }
    generations_ = generations.get<std::int64_t>();
    // The other processes of the group start at round 0, and all must vote and migrate in the same rounds.
    if (budget_.fleet != nullptr) return;
    rounds_ = generations_;
    begun_ = true;
  }

  Archipelago& archipelago_;
  const Budget& budget_;
  const Report& report_;
  std::int64_t generations_ = 0;
  std::int64_t rounds_ = 0;  ///< of this run; they determine when to migrate
  bool begun_ = false;
};

}  // namespace

Outcome search_islands(const Limits& limits, const Movable& movable, const Objective& objective,
                       const std::vector<Wiring>& seeds, const GeneticSettings& settings, std::uint64_t seed,
                       const Budget& budget, const Report& report) {
  const std::size_t rank = budget.fleet == nullptr ? 0 : Limits::at(budget.fleet->rank());
  GeneticSettings timed = settings;
  timed.deadline = budget.deadline;
  const std::function<Genetic(std::size_t)> settle = [&](std::size_t island) {
    return Genetic(limits, movable, objective, seeds, timed, island_seed(seed, rank * budget.islands + island));
  };
  Archipelago archipelago(settle, budget.islands, budget.threads);
  return Voyage(archipelago, budget, report).run();
}

}  // namespace fnn
