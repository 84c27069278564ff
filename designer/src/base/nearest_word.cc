// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/nearest_word.h"

#include <algorithm>

namespace fnn {
namespace {

std::size_t distance(const std::string& a, const std::string& b) {
  // steps[i][j]: the distance of the first i characters of a from the first j of b.
  std::vector<std::vector<std::size_t>> steps(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      std::size_t& least = steps[i][j];
      least = std::max(i, j);
      if (i == 0 || j == 0) continue;
      least = std::min({steps[i - 1][j] + 1, steps[i][j - 1] + 1, steps[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) least = std::min(least, steps[i - 2][j - 2] + 1);
    }
  }
  return steps[a.size()][b.size()];
}

}  // namespace

std::optional<std::string> nearest_word(const std::string& word, const std::vector<std::string>& known) {
  constexpr std::size_t kLongestWord = 64;
  std::optional<std::string> nearest;
  if (word.size() > kLongestWord) return nearest;
  std::size_t least = kLongestWord;
  for (const std::string& each : known) {
    const std::size_t steps = distance(word, each);
    const auto letters = static_cast<std::size_t>(std::count_if(each.begin(), each.end(), [](char c) { return c != '-'; }));
    if (steps > letters / 3 || steps >= least) continue;
    least = steps;
    nearest = each;
  }
  return nearest;
}

}  // namespace fnn
