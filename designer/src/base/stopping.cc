// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/stopping.h"

#include <unistd.h>

#include <atomic>
#include <csignal>

#include "base/writing.h"

namespace fnn {
namespace {

std::atomic<int> asked{0};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may not wait for a lock");

void on_signal(int signal) {
  int nobody = 0;
  if (asked.compare_exchange_strong(nobody, signal)) return;
  drop_draft();
  ::_exit(128 + signal);
}

}  // namespace

int stopping_signal() { return asked.load(std::memory_order_relaxed); }

void request_stop(int signal) {
  int nobody = 0;
  asked.compare_exchange_strong(nobody, signal);
}

void heed_signals() {
  struct sigaction action{};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  ::sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM}) {
    struct sigaction before{};
    ::sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) ::sigaction(signal, &action, nullptr);
  }
}

}  // namespace fnn
