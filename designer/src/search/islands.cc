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
  constexpr std::uint64_t kStride = 0xD1342543DE82EF95U;
  return seed * kIslands + island % kIslands + island / kIslands * kStride;
}

class Archipelago {
 public:
  Archipelago(const std::function<Genetic(std::size_t)>& create_island, std::size_t islands, std::size_t threads)
      : create_island_(create_island), threads_(std::min(threads, islands)), islands_(islands), cancelled_(islands) {}

  /// Runs one generation on every island; the first round creates the islands. Threads take islands
  /// in order, so a single thread that succeeds early skips the rest of the round.
  void run_round() {
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
      for (std::size_t i = next++; i < islands_.size() && !cancelled_[i]; i = next++) run_island(i);
    };
    std::vector<std::jthread> helpers;
    for (std::size_t i = 1; i < threads_; ++i) helpers.emplace_back(work);
    work();
  }

  /// Sends the migrants of every island to the next island of the ring. With several processes,
  /// `exchange` sends those of the last island to the next process and returns those for the first.
  using RemoteExchange = std::function<std::vector<Wiring>(const std::vector<Wiring>&)>;
  void migrate(const RemoteExchange& exchange) {
    std::vector<std::vector<Wiring>> migrants(islands_.size());
    for (std::size_t i = 0; i < islands_.size(); ++i) migrants[(i + 1) % islands_.size()] = islands_[i]->emigrants();
    migrants[0] = exchange(migrants[0]);
    for (std::size_t i = 0; i < islands_.size(); ++i) {
      for (const Wiring& wiring : migrants[i]) islands_[i]->immigrate(wiring);
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
      islands_[i].emplace(create_island_(i));
      if (!islands_[i]->load(states[i])) return false;
    }
    return true;
  }

  /// Adds a wiring that another process found.
  void add_migrant(const Wiring& wiring) { islands_[0]->immigrate(wiring); }

  Individual evaluated(const Wiring& wiring) const { return islands_[0]->evaluated(wiring); }

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
  void run_island(std::size_t i) {
    if (!islands_[i]) islands_[i].emplace(create_island_(i));
    islands_[i]->advance(cancelled_[i]);
    if (!islands_[i]->finished()) return;
    // Islands with higher numbers cannot win this round any more.
    for (std::size_t later = i + 1; later < islands_.size(); ++later) cancelled_[later] = true;
  }

  const std::function<Genetic(std::size_t)>& create_island_;
  std::size_t threads_;
  std::vector<std::optional<Genetic>> islands_;
  std::vector<std::atomic<bool>> cancelled_;
};

/// One search run: its rounds, migrations and checkpoints.
class IslandSearch {
 public:
  IslandSearch(Archipelago& archipelago, const Budget& budget, const Report& report)
      : archipelago_(archipelago), budget_(budget), report_(report) {}

  Outcome run() {
    if (budget_.checkpoint != nullptr) resume(budget_.checkpoint->resume());
    if (budget_.processes != nullptr) budget_.processes->start_search();
    while (another_round()) run_round();
    const Genetic& winner = archipelago_.winner();
    Outcome outcome{winner.best(), winner.finished(), generations_};
    if (budget_.processes != nullptr) collect_results(outcome);
    if (budget_.checkpoint != nullptr && !outcome.finished) save_final_state(outcome.best);
    return outcome;
  }

 private:
  bool another_round() const {
    if (!begun_) return true;  // there must be something to return
    return budget_.processes == nullptr ? may_continue() : budget_.processes->vote(may_continue());
  }

  bool may_continue() const {
    if (archipelago_.winner().finished() || stop_requested()) return false;
    if (budget_.generations && generations_ >= *budget_.generations) return false;
    return std::chrono::steady_clock::now() < budget_.deadline;
  }

  void run_round() {
    // All processes have voted for this round, so none waits for migrants that never arrive.
    if (rounds_ > 0 && rounds_ % kBetweenMigrations == 0) migrate();
    archipelago_.run_round();
    begun_ = true;
    if (stop_requested()) return;  // an interrupted round does not count
    ++generations_;
    ++rounds_;
    report_(generations_, archipelago_.winner().best());
    if (archipelago_.winner().finished()) return;
    if (budget_.checkpoint != nullptr) save_checkpoint();
  }

  void save_checkpoint() {
    budget_.checkpoint->save({{"generations", generations_}, {"islands", archipelago_.save()}});
  }

  void migrate() {
    archipelago_.migrate([&](const std::vector<Wiring>& leaving) {
      if (budget_.processes == nullptr) return leaving;
      std::vector<std::string> texts;
      for (const Wiring& wiring : leaving) texts.push_back(write_wiring(wiring));
      std::vector<Wiring> arriving;
      for (const std::string& text : budget_.processes->migrate(texts)) {
        arriving.push_back(*read_wiring(text, limits()));
      }
      return arriving;
    });
  }

  /// Every process reports its result; rank 0 keeps the best, of equals the first.
  void collect_results(Outcome& mine) {
    const Json result = {{"finished", mine.finished}, {"wiring", write_wiring(mine.best.wiring)}};
    for (const Json& other : budget_.processes->gather(result)) {
      const bool finished = other.at("finished");
      Individual best = archipelago_.evaluated(*read_wiring(other.at("wiring").get<std::string>(), limits()));
      const bool better = finished != mine.finished ? finished : !finished && best.better_than(mine.best);
      if (!better) continue;
      mine.best = std::move(best);
      mine.finished = finished;
    }
  }

  void save_final_state(const Individual& best) {
    // Saves the results of the other processes. Before the first full round some islands do not exist.
    if (budget_.processes != nullptr && generations_ > 0) {
      archipelago_.add_migrant(best.wiring);
      save_checkpoint();
    }
    budget_.checkpoint->end_without_success();
  }

  const Limits& limits() const { return archipelago_.winner().best().wiring.limits(); }

  void resume(const Json& state) {
    if (state.is_null()) return;
    const Json generations = state.value("generations", Json());
    if (!generations.is_number_integer() || generations < 1 || !archipelago_.load(state.value("islands", Json()))) {
      budget_.checkpoint->reject_state();
    }
    generations_ = generations.get<std::int64_t>();
    // The other processes of the group start at round 0, and all must vote and migrate in the same rounds.
    if (budget_.processes != nullptr) return;
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
  const std::size_t rank = budget.processes == nullptr ? 0 : Limits::at(budget.processes->rank());
  GeneticSettings timed = settings;
  timed.deadline = budget.deadline;
  const std::function<Genetic(std::size_t)> create_island = [&](std::size_t island) {
    return Genetic(limits, movable, objective, seeds, timed, island_seed(seed, rank * budget.islands + island));
  };
  Archipelago archipelago(create_island, budget.islands, budget.threads);
  return IslandSearch(archipelago, budget, report).run();
}

}  // namespace fnn
