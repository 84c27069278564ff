// SPDX-License-Identifier: GPL-3.0-or-later
// Problems: what is wrong with a document, where, and what was expected.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "base/json_text.h"

namespace fnn {

/// One thing that is wrong. `at` is a JSON pointer, a file name, or empty for the whole document.
struct Problem {
  std::string at;
  std::string message;

  std::string line() const { return at.empty() ? message : at + ": " + message; }
  bool operator==(const Problem&) const = default;
};

/// Collects all problems of one stage, so that the user can fix them together.
class Problems {
 public:
  void add(std::string at, std::string message);
  bool empty() const { return found_.empty(); }
  /// In document order: array indexes by number, keys by alphabet, parents before children.
  std::vector<Problem> sorted() const;

 private:
  std::vector<Problem> found_;
};

/// Thrown when a stage cannot continue. Holds every problem of the stage, in document order.
class BadInput : public std::runtime_error {
 public:
  explicit BadInput(std::vector<Problem> problems);
  const std::vector<Problem>& problems() const { return problems_; }

 private:
  std::vector<Problem> problems_;
};

/// {"problems": [{"at", "message"}, ...]}
Json to_json(const std::vector<Problem>& problems);

/// The pointer of a member or an element of what `at` points to.
std::string child(const std::string& at, const std::string& key);
std::string child(const std::string& at, std::size_t index);

/// "1 port", "2 ports": a count with its noun.
std::string counted(long long count, const std::string& noun);

}  // namespace fnn
