// SPDX-License-Identifier: GPL-3.0-or-later
// The patterns a second time, for the check alone: each as a question about two ranks, straight from
// docs/reference/patterns.md. spec/patterns.cc, which the search believes, lists pairs instead.
#pragma once

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "base/json_text.h"

namespace fnn {

/// Which pairs of ranks must share switches, and how much pairs talk, by a spec in normal form.
class WantedPairs {
 public:
  explicit WantedPairs(const Json& spec);

  struct Answer {
    bool wanted;    ///< whether the pair must share switches
    double weight;  ///< how much it talks, in the evaluation if there is one, else in the patterns, else 1
  };
  /// a < b.
  Answer ask(std::size_t a, std::size_t b) const;
  /// Whether evaluation or patterns name any pair.
  bool somebody_named() const { return somebody_named_; }

 private:
  /// Per node the peers after it, in rank order, each with its weight.
  using Listed = std::vector<std::vector<std::pair<std::size_t, double>>>;
  struct Pattern {
    std::function<bool(std::size_t a, std::size_t b)> joins;
    double weight;
  };

  double pattern_weight(std::size_t a, std::size_t b) const;
  double evaluated_weight(std::size_t a, std::size_t b) const;
  bool find_somebody() const;

  std::size_t nodes_;
  bool all_wanted_;
  bool evaluated_;
  std::vector<Pattern> patterns_;  ///< but those of pairs
  Listed listed_;
  Listed evaluation_;
  bool somebody_named_;
};

}  // namespace fnn
