// SPDX-License-Identifier: GPL-3.0-or-later
// A process group: several processes, on one machine or many, that search for the same design with a
// distributed island model. Each has its own islands. Only rank 0, the leader, answers the user.
//
// In a synchronous group every process waits for all others after each round, so that the result is
// reproducible. In an asynchronous group no process waits: migrants join when they arrive, and the
// first success that rank 0 receives ends the search in all processes. A process may then be late for
// a search or miss it: rank 0 waits a few seconds at most, and its stop message ends all other work.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/json_text.h"
#include "search/transport.h"

namespace fnn {

class ProcessGroup {
 public:
  ProcessGroup(Transport& transport, bool synchronous) : transport_(transport), synchronous_(synchronous) {}
  ProcessGroup(const ProcessGroup&) = delete;
  ProcessGroup& operator=(const ProcessGroup&) = delete;
  /// Rank 0 sends the stop message to all other processes, which wait for it.
  ~ProcessGroup();

  int rank() const { return transport_.rank(); }
  bool is_leader() const { return transport_.rank() == 0; }

  /// Starts a search. All processes start the same searches in the same order.
  void start_search();
  /// After every round: `more` votes for another one; returns whether this process runs it.
  bool vote(bool more);
  /// Sends migrants to the next process and returns those received from the previous one.
  std::vector<std::string> migrate(const std::vector<std::string>& wirings);
  /// Ends the search: rank 0 receives the results of the other processes, in rank order after its own.
  std::vector<Json> gather(const Json& mine);

 private:
  enum Kind { kMigrants, kVote, kDecision, kResult, kEndSearch, kStop };

  /// The inbox of one search.
  struct Inbox {
    std::vector<std::string> migrants;
    std::int64_t migrant_messages = 0;  ///< number of messages with migrants
    std::int64_t decisions = 0;
    bool more = true;
    std::map<int, std::int64_t> votes;  ///< per rank, number of messages
    std::map<int, Json> results;
    bool ended = false;
  };

  Inbox& inbox() { return inboxes_[search_]; }
  void send(int to, Kind kind, Json content);
  void send_all(Kind kind, const Json& content);
  bool receive_message();
  void handle(const Message& message);
  void wait_until(const std::function<bool()>& done);
  bool vote_synchronously(bool more);
  bool any_success();
  std::size_t others() const { return static_cast<std::size_t>(transport_.size() - 1); }

  Transport& transport_;
  bool synchronous_;
  std::int64_t search_ = 0;
  std::int64_t rounds_ = 0;
  std::int64_t migrations_ = 0;
  bool stopped_ = false;
  std::map<std::int64_t, Inbox> inboxes_;  ///< per search
};

}  // namespace fnn
