// SPDX-License-Identifier: GPL-3.0-or-later
//
// The Hungarian method by shortest augmenting paths: rows are added one at a time, each along the
// cheapest path of swaps among the rows already assigned. Potentials keep all reduced costs at zero
// or above, so that Dijkstra's algorithm finds the cheapest path. Row and column 0 are sentinels, so
// all internal indexes start at 1.
#include "base/assignment.h"

#include <cstddef>
#include <limits>

namespace fnn {

using std::size_t;

std::vector<int> best_assignment(const std::vector<std::vector<int>>& gain) {
  const size_t n = gain.size();
  constexpr int kInfinite = std::numeric_limits<int>::max();
  std::vector<int> row_potential(n + 1, 0);
  std::vector<int> column_potential(n + 1, 0);
  std::vector<size_t> row_of(n + 1, 0);  // per column
  std::vector<size_t> came_from(n + 1, 0);
  for (size_t row = 1; row <= n; ++row) {
    std::vector<int> distance(n + 1, kInfinite);
    std::vector<bool> done(n + 1, false);
    size_t column = 0;
    row_of[0] = row;
    do {
      done[column] = true;
      size_t nearest = 0;
      int step = kInfinite;
      for (size_t j = 1; j <= n; ++j) {
        if (done[j]) continue;
        const size_t i = row_of[column];
        const int reduced = -gain[i - 1][j - 1] - row_potential[i] - column_potential[j];
        if (reduced < distance[j]) {
          distance[j] = reduced;
          came_from[j] = column;
        }
        if (distance[j] < step) {
          step = distance[j];
          nearest = j;
        }
      }
      for (size_t j = 0; j <= n; ++j) {
        if (done[j]) {
          row_potential[row_of[j]] += step;
          column_potential[j] -= step;
        } else {
          distance[j] -= step;
        }
      }
      column = nearest;
    } while (row_of[column] != 0);
    for (; column != 0; column = came_from[column]) row_of[column] = row_of[came_from[column]];
  }
  std::vector<int> column_of(n, 0);
  for (size_t j = 1; j <= n; ++j) column_of[row_of[j] - 1] = static_cast<int>(j - 1);
  return column_of;
}

}  // namespace fnn
