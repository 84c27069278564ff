// SPDX-License-Identifier: GPL-3.0-or-later
// A fleet: several processes, on one machine or many, that search for the same design at the same
// time. Each has islands of its own. The process with rank 0 leads: it alone answers the user.
//
// In a synchronous fleet everybody waits for everybody after each round, so that the result is the
// same every time. Else nobody waits: wirings travel when they come, and the first success that the
// leader hears of ends the search everywhere. A process may even be late for a search, or miss it:
// the leader waits for nobody longer than a moment, and its farewell ends whatever others still do.
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
  /// The leader tells everybody to come home; the others wait for that.
  ~Fleet();

  int rank() const { return post_.rank(); }
  bool leads() const { return post_.rank() == 0; }

  /// A search begins, everywhere the same one.
  void set_out();
  /// After every round: whether there is another, when this process would have one.
  bool agree(bool more);
  /// Sends wirings to the next process and gives those that came from the one before.
  std::vector<std::string> pass_on(const std::vector<std::string>& wirings);
  /// The search is over: the leader gets what everybody found, in the order of the ranks.
  std::vector<Json> gather(const Json& mine);

 private:
  enum Kind { kTravellers, kReady, kOrder, kResult, kHalt, kFarewell };

  /// Of one search, what has arrived and was not looked at yet.
  struct Mail {
    std::vector<std::string> travellers;
    std::int64_t passed = 0;  ///< how often travellers came
    std::int64_t orders = 0;
    bool more = true;
    std::map<int, std::int64_t> ready;  ///< per rank, how often
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
