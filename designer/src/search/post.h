// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

namespace fnn {

struct Letter {
  int from;
  int kind;
  std::string text;
};

/// Letters between the processes of one run; the first has rank 0. Letters from one process to
/// another arrive in the order in which they were sent.
class Post {
 public:
  virtual ~Post() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// Never waits.
  virtual void send(int to, int kind, const std::string& text) = 0;
  /// A letter that has arrived; never waits for one.
  virtual std::optional<Letter> receive() = 0;
  /// Waits until everybody closes and every letter has been delivered.
  virtual void close() = 0;
};

}  // namespace fnn
