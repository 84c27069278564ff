// SPDX-License-Identifier: GPL-3.0-or-later
// A process group, simulated by threads with in-memory message queues.
#include "search/fleet.h"

#include <gtest/gtest.h>

#include <deque>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>

#include "search/islands.h"
#include "search/wiring_text.h"
#include "support.h"

namespace fnn::testing {
namespace {

struct LetterBoxes {
  std::mutex lock;
  std::vector<std::deque<Letter>> waiting;
};

class PlayedPost : public Post {
 public:
  PlayedPost(LetterBoxes& boxes, int rank) : boxes_(boxes), rank_(rank) {}
  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(boxes_.waiting.size()); }
  void send(int to, int kind, const std::string& text) override {
    const std::scoped_lock held(boxes_.lock);
    boxes_.waiting[Limits::at(to)].push_back({rank_, kind, text});
  }
  std::optional<Letter> receive() override {
    const std::scoped_lock held(boxes_.lock);
    std::deque<Letter>& mine = boxes_.waiting[Limits::at(rank_)];
    if (mine.empty()) return std::nullopt;
    Letter letter = mine.front();
    mine.pop_front();
    return letter;
  }
  void close() override {}

 private:
  LetterBoxes& boxes_;
  int rank_;
};

struct Request {
  int processes;
  bool synchronous;
  std::int64_t generations;
};

/// Keeps the state in memory.
class Memory : public Keeper {
 public:
  Json resume() override { return state; }
  [[noreturn]] void refuse() const override { throw std::logic_error("a state of another search"); }
  void keep(Json kept) override { state = std::move(kept); }
  void give_up() override { given_up = true; }

  Json state;
  bool given_up = false;
};

/// The outcome at rank 0; every process begins its search `late` after the previous rank.
Outcome search_together(const Limits& limits, const Request& request, std::chrono::milliseconds late = {},
                        Keeper* keeper = nullptr) {
  LetterBoxes boxes;
  boxes.waiting.resize(static_cast<std::size_t>(request.processes));
  const Movable movable(limits);
  const Objective objective(Demand::universal(Limits::at(limits.node_count())));
  std::optional<Outcome> leaders;
  const auto process = [&](int rank) {
    PlayedPost post(boxes, rank);
    Fleet fleet(post, request.synchronous);
    std::this_thread::sleep_for(late * rank);
    Budget budget{std::chrono::steady_clock::now() + std::chrono::hours(1), request.generations};
    budget.fleet = &fleet;
    budget.keeper = rank == 0 ? keeper : nullptr;
    const Outcome outcome =
        search_islands(limits, movable, objective, {}, {}, 1, budget, [](std::int64_t, const Individual&) {});
    if (rank == 0) leaders.emplace(outcome);
  };
  {
    std::vector<std::jthread> followers;
    for (int rank = 1; rank < request.processes; ++rank) followers.emplace_back(process, rank);
    process(0);
  }
  return *leaders;
}

TEST(Fleet, ASuccessAnywhereEndsTheSearch) {
  const Limits limits(read_spec(data("hard128.json")));
  for (const bool synchronous : {true, false}) {
    const Outcome outcome = search_together(limits, {3, synchronous, 1000000});
    EXPECT_TRUE(outcome.finished);
    EXPECT_EQ(outcome.best.uncovered, 0);
    EXPECT_EQ(broken_limit(outcome.best.wiring), "");
  }
}

TEST(Fleet, InStepTheResultIsTheSameEveryTime) {
  const Limits limits(read_spec(plain_spec(64, 4, 8, 26)));
  const Outcome one = search_together(limits, {3, true, 12});
  const Outcome two = search_together(limits, {3, true, 12}, std::chrono::milliseconds(20));
  EXPECT_EQ(one.generations, 12);
  EXPECT_TRUE(one.best.wiring == two.best.wiring);
}

TEST(Fleet, OfOneProcessFindsWhatNoFleetFinds) {
  const Limits limits(read_spec(data("plane64.json")));
  const Outcome alone = search_together(limits, {1, true, 1000});
  const Movable movable(limits);
  const Objective objective(Demand::universal(Limits::at(limits.node_count())));
  const Outcome plain = search_islands(limits, movable, objective, {}, {}, 1,
                                       {std::chrono::steady_clock::now() + std::chrono::hours(1), 1000, 1},
                                       [](std::int64_t, const Individual&) {});
  EXPECT_TRUE(alone.best.wiring == plain.best.wiring);
}

// The last process begins after the end of the search, and stops with the others.
TEST(Fleet, NobodyWaitsForAProcessThatIsLate) {
  const Limits limits(read_spec(data("six.json")));
  EXPECT_TRUE(search_together(limits, {3, false, 1000}, std::chrono::milliseconds(300)).finished);
}

// The other ranks start afresh, so their generation counts differ from that of rank 0. The eleven further rounds
// include a migration, which synchronizes all ranks.
TEST(Fleet, GoesOnFromWhatTheLeaderKeptWithTheBestOfAll) {
  const Limits limits(read_spec(open_spec()));
  Memory memory;
  const Outcome first = search_together(limits, {3, true, 2}, {}, &memory);
  EXPECT_TRUE(memory.given_up);
  EXPECT_EQ(memory.state["generations"], 2);
  std::set<std::string> kept;
  for (const Json& island : memory.state["islands"]) kept.insert(island["population"].begin(), island["population"].end());
  EXPECT_TRUE(kept.contains(write_wiring(first.best.wiring)));
  const Outcome second = search_together(limits, {3, true, 13}, {}, &memory);
  EXPECT_EQ(second.generations, 13);
  EXPECT_FALSE(first.best.better_than(second.best));
}

}  // namespace
}  // namespace fnn::testing
