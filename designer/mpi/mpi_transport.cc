// SPDX-License-Identifier: GPL-3.0-or-later
// The message transport over MPI. Sending never blocks: a message is kept until MPI has sent all of it.
#include <mpi.h>

#include <chrono>
#include <list>
#include <memory>
#include <stdexcept>
#include <thread>

#include "search/transport.h"

namespace fnn {
namespace {

class MpiTransport : public Transport {
 public:
  MpiTransport() {
    int provided = MPI_THREAD_SINGLE;
    // Helper threads only search; the main thread alone calls MPI (MPI_THREAD_FUNNELED).
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) {
      throw std::runtime_error("this MPI does not support threads (MPI_THREAD_FUNNELED)");
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  void send(int to, int kind, const std::string& text) override {
    drop_sent();
    Outgoing& message = outgoing_.emplace_back(Outgoing{text, MPI_REQUEST_NULL});
    MPI_Isend(message.text.data(), static_cast<int>(message.text.size()), MPI_CHAR, to, kind, MPI_COMM_WORLD,
              &message.request);
  }

  std::optional<Message> receive() override {
    drop_sent();
    int there = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
    if (there == 0) return std::nullopt;
    int length = 0;
    MPI_Get_count(&status, MPI_CHAR, &length);
    Message message{status.MPI_SOURCE, status.MPI_TAG, std::string(static_cast<std::size_t>(length), '\0')};
    MPI_Recv(message.text.data(), length, MPI_CHAR, message.from, message.kind, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return message;
  }

  /// A message that is never received would block its sender. Every process therefore receives until all processes
  /// have sent everything.
  void close() override {
    while (!outgoing_.empty()) idle();
    MPI_Request barrier = MPI_REQUEST_NULL;
    MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
    for (int there = 0; there == 0; idle()) MPI_Test(&barrier, &there, MPI_STATUS_IGNORE);
    MPI_Finalize();
  }

 private:
  struct Outgoing {
    std::string text;
    MPI_Request request;
  };

  void idle() {
    if (!receive()) std::this_thread::sleep_for(std::chrono::microseconds(100));
  }

  void drop_sent() {
    outgoing_.remove_if([](Outgoing& message) {
      int sent = 0;
      MPI_Test(&message.request, &sent, MPI_STATUS_IGNORE);
      return sent != 0;
    });
  }

  int rank_ = 0;
  int size_ = 1;
  std::list<Outgoing> outgoing_;
};

}  // namespace
}  // namespace fnn

/// The entry point of the plugin (program/launch.cc).
extern "C" fnn::Transport* fnn_open_transport() { return std::make_unique<fnn::MpiTransport>().release(); }
