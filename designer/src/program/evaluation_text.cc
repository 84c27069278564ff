// SPDX-License-Identifier: GPL-3.0-or-later
#include "program/evaluation_text.h"

#include "base/text_table.h"

namespace fnn {
namespace {

std::string number_text(const Json& number) { return number.is_null() ? "-" : short_number(number.get<double>()); }

/// Means are objects with their exact value, or with a histogram around that.
std::string mean_text(const Json& mean) {
  if (!mean.is_object()) return number_text(mean);
  return mean.contains("value") ? number_text(mean["value"]) : mean_text(mean.value("mean", Json()));
}

std::vector<Row> headline_rows(const Json& answer) {
  std::vector<Row> rows;
  if (answer.contains("nodes_between")) rows.push_back({"nodes between two nodes, mean", mean_text(answer["nodes_between"])});
  rows.push_back({"switches between two nodes, mean", mean_text(answer["switches_traversed"])});
  rows.push_back({"bandwidth of a pair alone, mean", mean_text(answer["pairwise"]) + " links"});
  if (answer.contains("bisection_gbps")) {
    const Json& bisection = answer["bisection_gbps"];
    rows.push_back({"bisection, best and conservative",
                    number_text(bisection["best"]) + " and " + number_text(bisection["conservative"]) + " Gb/s"});
  }
  const Json& worst = answer["worst_case"];
  if (worst.contains("basic")) {
    rows.push_back({"least share of the optimum, all traffic",
                    number_text(worst["basic"]) + " with routing basic, " + number_text(worst["advanced"]) + " with advanced"});
  } else if (!worst["permutation"].is_null()) {
    rows.push_back({"worst permutation, each flow", mean_text(worst["permutation"]["throughput"]) + " links"});
  }
  return rows;
}

std::vector<Row> comparison_rows(const Json& comparison) {
  std::vector<Row> rows{{"measure", "this design", "better", "best", "network", "wins over", "even with", "loses to"}};
  for (const Json& each : comparison) {
    rows.push_back({each["measure"].get<std::string>(), number_text(each["design"]), each["better"].get<std::string>(),
                    number_text(each["best"]["value"]), each["best"]["alternative"].get<std::string>(),
                    std::to_string(each["wins_over"].size()), std::to_string(each["even_with"].size()),
                    std::to_string(each["loses_to"].size())});
  }
  return rows;
}

}  // namespace

std::string evaluation_text(const Json& answer) {
  std::string text = answer["evaluation"].get<std::string>() + ": written\n\n" + text_table(headline_rows(answer));
  if (!answer["comparison"].empty()) text += "\n" + text_table(comparison_rows(answer["comparison"]));
  return text;
}

}  // namespace fnn
