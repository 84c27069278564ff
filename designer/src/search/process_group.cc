// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/process_group.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "base/stopping.h"

namespace fnn {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;
using std::chrono::milliseconds;

// How long rank 0 waits for the last results. A launcher that receives a stop signal kills its
// processes a second later.
constexpr milliseconds kResultTimeout{5000};
constexpr milliseconds kResultTimeoutWhenStopped{300};
constexpr microseconds kPollInterval{100};

}  // namespace

ProcessGroup::~ProcessGroup() {
  if (is_leader()) send_all(kStop, Json::object());
  else wait_until([] { return false; });
  transport_.close();
}

void ProcessGroup::start_search() {
  ++search_;
  rounds_ = 0;
  migrations_ = 0;
}

bool ProcessGroup::vote(bool more) {
  ++rounds_;
  if (synchronous_) return vote_synchronously(more);
  while (receive_message()) {}
  return more && !stopped_ && !inbox().ended && !stop_requested() && !any_success();
}

bool ProcessGroup::any_success() {
  const auto succeeded = [](const auto& result) { return result.second.value("finished", false); };
  return std::any_of(inbox().results.begin(), inbox().results.end(), succeeded);
}

bool ProcessGroup::vote_synchronously(bool more) {
  if (!is_leader()) {
    send(0, kVote, {{"more", more}, {"signal", stopping_signal()}});
    wait_until([&] { return inbox().decisions >= rounds_; });
    return inbox().more && !stopped_;
  }
  wait_until([&] {
    const auto arrived = [&](const auto& votes) { return votes.second >= rounds_; };
    return static_cast<std::size_t>(std::count_if(inbox().votes.begin(), inbox().votes.end(), arrived)) == others();
  });
  more = more && inbox().more && !stop_requested();
  send_all(kDecision, {{"more", more}});
  return more;
}

std::vector<std::string> ProcessGroup::migrate(const std::vector<std::string>& wirings) {
  ++migrations_;
  send((rank() + 1) % transport_.size(), kMigrants, {{"wirings", wirings}});
  if (synchronous_) wait_until([&] { return inbox().migrant_messages >= migrations_; });
  while (receive_message()) {}
  return std::exchange(inbox().migrants, {});
}

std::vector<Json> ProcessGroup::gather(const Json& mine) {
  if (!is_leader()) {
    Json result = mine;
    result["signal"] = stopping_signal();
    send(0, kResult, std::move(result));
    return {};
  }
  send_all(kEndSearch, Json::object());
  const Clock::time_point begin = Clock::now();
  wait_until([&] {
    if (mine.value("finished", false) || (!synchronous_ && any_success())) return true;
    const milliseconds timeout = stop_requested() ? kResultTimeoutWhenStopped : kResultTimeout;
    return inbox().results.size() == others() || Clock::now() > begin + timeout;
  });
  std::vector<Json> results{mine};
  for (const auto& [rank, result] : inbox().results) results.push_back(result);
  return results;
}

void ProcessGroup::send(int to, Kind kind, Json content) {
  content["search"] = search_;
  transport_.send(to, kind, content.dump());
}

void ProcessGroup::send_all(Kind kind, const Json& content) {
  for (int to = 1; to < transport_.size(); ++to) send(to, kind, content);
}

/// False when no message has arrived.
bool ProcessGroup::receive_message() {
  const auto message = transport_.receive();
  if (message) handle(*message);
  return message.has_value();
}

void ProcessGroup::handle(const Message& message) {
  const Json content = Json::parse(message.text);
  Inbox& inbox = inboxes_[content.at("search")];
  // A signal to one process of the group stops all of them.
  if (const int signal = content.value("signal", 0); signal != 0) request_stop(signal);
  switch (message.kind) {
    case kMigrants:
      ++inbox.migrant_messages;
      for (const Json& wiring : content.at("wirings")) inbox.migrants.push_back(wiring);
      break;
    case kVote:
      ++inbox.votes[message.from];
      if (!content.at("more")) inbox.more = false;
      break;
    case kDecision:
      ++inbox.decisions;
      inbox.more = content.at("more");
      break;
    case kResult: inbox.results[message.from] = content; break;
    case kEndSearch: inbox.ended = true; break;
    default: stopped_ = true;
  }
}

/// Returns early when the stop message of rank 0 arrives.
void ProcessGroup::wait_until(const std::function<bool()>& done) {
  while (!stopped_ && !done()) {
    if (!receive_message()) std::this_thread::sleep_for(kPollInterval);
  }
}

}  // namespace fnn
