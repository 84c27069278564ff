// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/stopping.h"

#include <unistd.h>

#include <atomic>
#include <csignal>

#include "base/writing.h"

namespace fnn {
namespace {

std::atomic<int> requested_signal{0};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may not wait for a lock");

void on_signal(int signal) {
  int none = 0;
  if (requested_signal.compare_exchange_strong(none, signal)) return;
  remove_temporary_file();
  ::_exit(128 + signal);
}

}  // namespace

int stopping_signal() { return requested_signal.load(std::memory_order_relaxed); }

void request_stop(int signal) {
  int none = 0;
  requested_signal.compare_exchange_strong(none, signal);
}

void install_signal_handlers() {
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
