// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/fleet.h"

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
constexpr milliseconds kPatience{5000};
constexpr milliseconds kPatienceWhenStopped{300};
constexpr microseconds kNap{100};

}  // namespace

Fleet::~Fleet() {
  if (leads()) send_all(kFarewell, Json::object());
  else wait_until([] { return false; });
  post_.close();
}

void Fleet::set_out() {
  ++search_;
  rounds_ = 0;
  passed_ = 0;
}

bool Fleet::agree(bool more) {
  ++rounds_;
  if (synchronous_) return agree_with_all(more);
  while (read_letter()) {}
  return more && !farewell_ && !mail().halted && !stop_requested() && !somebody_succeeded();
}

bool Fleet::somebody_succeeded() {
  const auto succeeded = [](const auto& result) { return result.second.value("finished", false); };
  return std::any_of(mail().results.begin(), mail().results.end(), succeeded);
}

bool Fleet::agree_with_all(bool more) {
  if (!leads()) {
    send(0, kReady, {{"more", more}, {"signal", stopping_signal()}});
    wait_until([&] { return mail().orders >= rounds_; });
    return mail().more && !farewell_;
  }
  wait_until([&] {
    const auto arrived = [&](const auto& ready) { return ready.second >= rounds_; };
    return static_cast<std::size_t>(std::count_if(mail().ready.begin(), mail().ready.end(), arrived)) == others();
  });
  more = more && mail().more && !stop_requested();
  send_all(kOrder, {{"more", more}});
  return more;
}

std::vector<std::string> Fleet::pass_on(const std::vector<std::string>& wirings) {
  ++passed_;
  send((rank() + 1) % post_.size(), kTravellers, {{"wirings", wirings}});
  if (synchronous_) wait_until([&] { return mail().passed >= passed_; });
  while (read_letter()) {}
  return std::exchange(mail().travellers, {});
}

std::vector<Json> Fleet::gather(const Json& mine) {
  if (!leads()) {
    Json result = mine;
    result["signal"] = stopping_signal();
    send(0, kResult, std::move(result));
    return {};
  }
  send_all(kHalt, Json::object());
  const Clock::time_point begin = Clock::now();
  wait_until([&] {
    if (mine.value("finished", false) || (!synchronous_ && somebody_succeeded())) return true;
    const milliseconds patience = stop_requested() ? kPatienceWhenStopped : kPatience;
    return mail().results.size() == others() || Clock::now() > begin + patience;
  });
  std::vector<Json> results{mine};
  for (const auto& [rank, result] : mail().results) results.push_back(result);
  return results;
}

void Fleet::send(int to, Kind kind, Json content) {
  content["search"] = search_;
  post_.send(to, kind, content.dump());
}

void Fleet::send_all(Kind kind, const Json& content) {
  for (int to = 1; to < post_.size(); ++to) send(to, kind, content);
}

/// False when no message has arrived.
bool Fleet::read_letter() {
  const auto letter = post_.receive();
  if (letter) file(*letter);
  return letter.has_value();
}

void Fleet::file(const Letter& letter) {
  const Json content = Json::parse(letter.text);
  Mail& mail = mail_[content.at("search")];
  // A signal to one process of the group stops all of them.
  if (const int signal = content.value("signal", 0); signal != 0) request_stop(signal);
  switch (letter.kind) {
    case kTravellers:
      ++mail.passed;
      for (const Json& wiring : content.at("wirings")) mail.travellers.push_back(wiring);
      break;
    case kReady:
      ++mail.ready[letter.from];
      if (!content.at("more")) mail.more = false;
      break;
    case kOrder:
      ++mail.orders;
      mail.more = content.at("more");
      break;
    case kResult: mail.results[letter.from] = content; break;
    case kHalt: mail.halted = true; break;
    default: farewell_ = true;
  }
}

/// Returns early when the stop message of rank 0 arrives.
void Fleet::wait_until(const std::function<bool()>& done) {
  while (!farewell_ && !done()) {
    if (!read_letter()) std::this_thread::sleep_for(kNap);
  }
}

}  // namespace fnn
