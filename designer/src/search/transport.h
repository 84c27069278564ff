// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

namespace fnn {

struct Message {
  int from;
  int kind;
  std::string text;
};

/// The message transport between the processes of one run; the first has rank 0. Messages from one
/// process to another arrive in the order of sending.
class Transport {
 public:
  virtual ~Transport() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// Never blocks.
  virtual void send(int to, int kind, const std::string& text) = 0;
  /// A message from the inbox, if there is one; never blocks.
  virtual std::optional<Message> receive() = 0;
  /// Blocks until all processes have closed and all messages are delivered.
  virtual void close() = 0;
};

}  // namespace fnn
