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
#include "search/post.h"

namespace fnn {

class Fleet {
 public:
  Fleet(Post& post, bool synchronous) : post_(post), synchronous_(synchronous) {}
  Fleet(const Fleet&) = delete;
  Fleet& operator=(const Fleet&) = delete;
  /// Rank 0 sends the stop message to all other processes, which wait for it.
  ~Fleet();

  int rank() const { return post_.rank(); }
  bool leads() const { return post_.rank() == 0; }

  /// Starts a search. All processes start the same searches in the same order.
  void set_out();
  /// After every round: `more` votes for another one; returns whether this process runs it.
  bool agree(bool more);
  /// Sends migrants to the next process and returns those received from the previous one.
  std::vector<std::string> pass_on(const std::vector<std::string>& wirings);
  /// Ends the search: rank 0 receives the results of the other processes, in rank order after its own.
  std::vector<Json> gather(const Json& mine);

 private:
  enum Kind { kTravellers, kReady, kOrder, kResult, kHalt, kFarewell };

  /// The inbox of one search.
  struct Mail {
    std::vector<std::string> travellers;
    std::int64_t passed = 0;  ///< number of messages with migrants
    std::int64_t orders = 0;
    bool more = true;
    std::map<int, std::int64_t> ready;  ///< per rank, number of messages
    std::map<int, Json> results;
    bool halted = false;
  };

  Mail& mail() { return mail_[search_]; }
  void send(int to, Kind kind, Json content);
  void send_all(Kind kind, const Json& content);
  bool read_letter();
  void file(const Letter& letter);
  void wait_until(const std::function<bool()>& done);
  bool agree_with_all(bool more);
  bool somebody_succeeded();
  std::size_t others() const { return static_cast<std::size_t>(post_.size() - 1); }

  Post& post_;
  bool synchronous_;
  std::int64_t search_ = 0;
  std::int64_t rounds_ = 0;
  std::int64_t passed_ = 0;
  bool farewell_ = false;
  std::map<std::int64_t, Mail> mail_;  ///< per search
};

}  // namespace fnn
