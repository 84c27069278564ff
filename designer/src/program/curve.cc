// SPDX-License-Identifier: GPL-3.0-or-later
#include "program/curve.h"

#include <algorithm>
#include <cstdio>

namespace fnn {

std::vector<double> curve_weights(const Goals& goals) {
  const double heaviest =
      std::max({goals.shared_switches, goals.balance, goals.exposure, goals.cable_length, goals.price});
  std::vector<double> weights = {0.06, 0.1, 0.14, 0.18, 0.22, 0.3, 0.5, 1.0};
  for (double& weight : weights) weight *= heaviest > 0 ? heaviest : 1.0;
  return weights;
}

std::vector<Tradeoff> pareto(std::vector<Tradeoff> points) {
  std::stable_sort(points.begin(), points.end(), [](const Tradeoff& a, const Tradeoff& b) {
    return a.moves.moved != b.moves.moved ? a.moves.moved < b.moves.moved : a.shared > b.shared;
  });
  std::vector<Tradeoff> best;
  for (const Tradeoff& point : points) {
    if (best.empty() || point.shared > best.back().shared) best.push_back(point);
  }
  return best;
}

Json to_json(const std::vector<Tradeoff>& curve) {
  Json list = Json::array();
  for (const Tradeoff& point : curve) {
    list.push_back({{"weight", point.weight},
                    {"moved", point.moves.moved},
                    {"kept", point.moves.kept},
                    {"mean_shared_switches", point.shared}});
  }
  return list;
}

std::string table_of(const std::vector<Tradeoff>& curve) {
  std::string text = "moved  kept  shared switches  weight\n";
  for (const Tradeoff& point : curve) {
    char line[80];
    std::snprintf(line, sizeof line, "%5d %5d %16.3f %7g\n", point.moves.moved, point.moves.kept, point.shared,
                  point.weight);
    text += line;
  }
  return text;
}

}  // namespace fnn
