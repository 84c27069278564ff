// SPDX-License-Identifier: GPL-3.0-or-later
// How far inputs get: counters of a fuzz target, which it prints when it ends.
#pragma once

#include <iostream>
#include <string>
#include <utility>
#include <vector>

namespace fnn::fuzzing {

/// Counts inputs by the stages that they reach, in the order of `stages`. The destructor prints the counts.
class Reached {
 public:
  explicit Reached(std::vector<std::string> stages) : stages_(std::move(stages)), counts_(stages_.size(), 0) {}
  Reached(const Reached&) = delete;
  Reached& operator=(const Reached&) = delete;
  ~Reached() { print(); }

  void count(std::size_t stage) { ++counts_[stage]; }

 private:
  /// "reached: 120 inputs, 96 JSON (80 %), ..."
  void print() const {
    std::cerr << "reached:";
    for (std::size_t i = 0; i < stages_.size(); ++i) {
      std::cerr << (i > 0 ? ", " : " ") << counts_[i] << " " << stages_[i];
      if (i > 0 && counts_[0] > 0) std::cerr << " (" << 100 * counts_[i] / counts_[0] << " %)";
    }
    std::cerr << "\n";
  }

  std::vector<std::string> stages_;
  std::vector<long long> counts_;
};

}  // namespace fnn::fuzzing
