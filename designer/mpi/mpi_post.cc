// SPDX-License-Identifier: GPL-3.0-or-later
// Letters over MPI. Sending never waits: a letter is kept until MPI has taken all of it.
#include <mpi.h>

#include <chrono>
#include <list>
#include <memory>
#include <stdexcept>
#include <thread>

#include "search/post.h"

namespace fnn {
namespace {

class MpiPost : public Post {
 public:
  MpiPost() {
    int provided = MPI_THREAD_SINGLE;
    // Helper threads search; only the one that began the run sends and receives.
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) throw std::runtime_error("this MPI does not allow threads beside it");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  void send(int to, int kind, const std::string& text) override {
    drop_sent();
    Outgoing& letter = outgoing_.emplace_back(Outgoing{text, MPI_REQUEST_NULL});
    MPI_Isend(letter.text.data(), static_cast<int>(letter.text.size()), MPI_CHAR, to, kind, MPI_COMM_WORLD,
              &letter.request);
  }

  std::optional<Letter> receive() override {
    drop_sent();
    int there = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
    if (there == 0) return std::nullopt;
    int length = 0;
    MPI_Get_count(&status, MPI_CHAR, &length);
    Letter letter{status.MPI_SOURCE, status.MPI_TAG, std::string(static_cast<std::size_t>(length), '\0')};
    MPI_Recv(letter.text.data(), length, MPI_CHAR, letter.from, letter.kind, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return letter;
  }

  /// A letter that nobody receives would keep its sender for ever, so all go on receiving until all
  /// have sent everything.
  void close() override {
    while (!outgoing_.empty()) idle();
    MPI_Request everybody = MPI_REQUEST_NULL;
    MPI_Ibarrier(MPI_COMM_WORLD, &everybody);
    for (int there = 0; there == 0; idle()) MPI_Test(&everybody, &there, MPI_STATUS_IGNORE);
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
    outgoing_.remove_if([](Outgoing& letter) {
      int sent = 0;
      MPI_Test(&letter.request, &sent, MPI_STATUS_IGNORE);
      return sent != 0;
    });
  }

  int rank_ = 0;
  int size_ = 1;
  std::list<Outgoing> outgoing_;
};

}  // namespace
}  // namespace fnn

/// What the program looks for in the plugin (program/launch.cc).
extern "C" fnn::Post* fnn_open_post() { return std::make_unique<fnn::MpiPost>().release(); }
