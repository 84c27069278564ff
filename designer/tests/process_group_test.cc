// SPDX-License-Identifier: GPL-3.0-or-later
// A process group, simulated by threads with in-memory message queues.
#include "search/process_group.h"

#include <gtest/gtest.h>

#include <atomic>
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

struct MessageQueues {
  std::mutex lock;
  std::vector<std::deque<Message>> waiting;
};

class InMemoryTransport : public Transport {
 public:
  InMemoryTransport(MessageQueues& queues, int rank) : queues_(queues), rank_(rank) {}
  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(queues_.waiting.size()); }
  void send(int to, int kind, const std::string& text) override {
    const std::scoped_lock held(queues_.lock);
    queues_.waiting[Limits::at(to)].push_back({rank_, kind, text});
  }
  std::optional<Message> receive() override {
    ++receptions;
    const std::scoped_lock held(queues_.lock);
    std::deque<Message>& mine = queues_.waiting[Limits::at(rank_)];
    if (mine.empty()) return std::nullopt;
    Message message = mine.front();
    mine.pop_front();
    return message;
  }
  void close() override {}

  int receptions = 0;  ///< attempts to receive a message

 private:
  MessageQueues& queues_;
  int rank_;
};

struct Request {
  int processes;
  bool synchronous;
  std::int64_t generations;
  std::chrono::milliseconds delay{};  ///< every process begins its search this much later than the previous rank
  bool rank_zero_first = false;       ///< the others begin their search only when that of rank 0 has ended
  GeneticSettings settings{};
};

/// Without long children, which take most of the time of a search and send the same messages.
GeneticSettings short_children() {
  GeneticSettings settings;
  settings.long_effort = 1e9;
  return settings;
}

/// Keeps the state in memory.
class InMemoryCheckpoint : public CheckpointSink {
 public:
  Json resume() override { return state; }
  [[noreturn]] void reject_state() const override { throw std::logic_error("a state of another search"); }
  void save(Json kept) override { state = std::move(kept); }
  void end_without_success() override { ended_without_success = true; }

  Json state;
  bool ended_without_success = false;
};

/// The outcome at rank 0. receptions: how often it tried to receive a message during its search.
Outcome search_together(const Limits& limits, const Request& request, CheckpointSink* checkpoint = nullptr,
                        int* receptions = nullptr) {
  MessageQueues queues;
  queues.waiting.resize(static_cast<std::size_t>(request.processes));
  const Movable movable(limits);
  const Objective objective(Demand::universal(Limits::at(limits.node_count())));
  std::optional<Outcome> of_rank_zero;
  std::atomic<bool> rank_zero_ended{false};
  const auto process = [&](int rank) {
    InMemoryTransport transport(queues, rank);
    ProcessGroup processes(transport, request.synchronous);
    std::this_thread::sleep_for(request.delay * rank);
    if (rank > 0 && request.rank_zero_first) rank_zero_ended.wait(false);
    Budget budget{std::chrono::steady_clock::now() + std::chrono::hours(1), request.generations};
    budget.processes = &processes;
    budget.checkpoint = rank == 0 ? checkpoint : nullptr;
    const Outcome outcome =
        search_islands(limits, movable, objective, {}, request.settings, 1, budget,
                       [](std::int64_t, const Individual&) {});
    if (rank > 0) return;
    of_rank_zero.emplace(outcome);
    if (receptions != nullptr) *receptions = transport.receptions;
    rank_zero_ended = true;
    rank_zero_ended.notify_all();
  };
  {
    std::vector<std::jthread> others;
    for (int rank = 1; rank < request.processes; ++rank) others.emplace_back(process, rank);
    process(0);
  }
  return *of_rank_zero;
}

TEST(ProcessGroup, ASuccessOfAnyProcessEndsTheSearch) {
  const Limits limits(read_spec(data("hard128.json")));
  for (const bool synchronous : {true, false}) {
    const Outcome outcome = search_together(limits, {3, synchronous, 1000000});
    EXPECT_TRUE(outcome.finished);
    EXPECT_EQ(outcome.best.uncovered, 0);
    EXPECT_EQ(broken_limit(outcome.best.wiring), "");
  }
}

TEST(ProcessGroup, SynchronousResultsAreReproducible) {
  const Limits limits(read_spec(plain_spec(64, 4, 8, 26)));
  const Outcome one = search_together(limits, {3, true, 12, {}, false, short_children()});
  const Outcome two =
      search_together(limits, {3, true, 12, std::chrono::milliseconds(20), false, short_children()});
  EXPECT_EQ(one.generations, 12);
  EXPECT_TRUE(one.best.wiring == two.best.wiring);
}

TEST(ProcessGroup, OfOneProcessFindsTheSameAsAPlainSearch) {
  const Limits limits(read_spec(data("plane64.json")));
  const Outcome alone = search_together(limits, {1, true, 1000});
  const Movable movable(limits);
  const Objective objective(Demand::universal(Limits::at(limits.node_count())));
  const Outcome plain = search_islands(limits, movable, objective, {}, {}, 1,
                                       {std::chrono::steady_clock::now() + std::chrono::hours(1), 1000, 1},
                                       [](std::int64_t, const Individual&) {});
  EXPECT_TRUE(alone.best.wiring == plain.best.wiring);
}

// The other processes begin only after the search of rank 0 has ended, and stop at once. A rank 0 that waited for their
// results would try to receive them for five seconds, every tenth of a millisecond.
TEST(ProcessGroup, RankZeroDoesNotWaitForALateProcess) {
  const Limits limits(read_spec(data("six.json")));
  int receptions = 0;
  EXPECT_TRUE(search_together(limits, {3, false, 1000, {}, true}, nullptr, &receptions).finished);
  EXPECT_LT(receptions, 100);
}

// The other ranks start afresh, so their generation counts differ from that of rank 0. The eleven further rounds
// include a migration, which synchronizes all ranks.
TEST(ProcessGroup, ResumesFromTheCheckpointOfRankZeroWithTheBestOfAll) {
  const Limits limits(read_spec(open_spec()));
  InMemoryCheckpoint checkpoint;
  const Outcome first = search_together(limits, {3, true, 2, {}, false, short_children()}, &checkpoint);
  EXPECT_TRUE(checkpoint.ended_without_success);
  EXPECT_EQ(checkpoint.state["generations"], 2);
  std::set<std::string> kept;
  for (const Json& island : checkpoint.state["islands"]) {
    kept.insert(island["population"].begin(), island["population"].end());
  }
  EXPECT_TRUE(kept.contains(write_wiring(first.best.wiring)));
  const Outcome second = search_together(limits, {3, true, 13, {}, false, short_children()}, &checkpoint);
  EXPECT_EQ(second.generations, 13);
  EXPECT_FALSE(first.best.better_than(second.best));
}

}  // namespace
}  // namespace fnn::testing
