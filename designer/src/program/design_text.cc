// SPDX-License-Identifier: GPL-3.0-or-later
#include "program/design_text.h"

#include "base/problem.h"
#include "base/text_table.h"
#include "export/wiring_facts.h"
#include "export/wiring_table.h"

namespace fnn {
namespace {

/// `design.json: found by stage genetic in 0.0027 s`
std::string outcome_line(const Json& answer, const std::string& path) {
  const bool found = answer["verdict"] == "found";
  std::string line = path + ": " + (answer.contains("interrupted") ? "interrupted, " : "") +
                     (found ? "found" : "not found, this is the best so far;") + " by stage " +
                     answer["stage"].get<std::string>() + " in " + short_number(answer["seconds"].get<double>()) + " s";
  if (answer.contains("kept_links")) {
    line += "; " + counted(answer["kept_links"].get<long long>(), "cable") + " kept, " + compact(answer["moved_links"]) +
            " moved, at least " + compact(answer["moved_at_least"]) + " must move";
  }
  if (answer.contains("headroom")) line += "; room for " + counted(answer["headroom"].get<long long>(), "more node");
  return line + "\n";
}

std::string describe_how(const Json& number) {
  const std::string& how = number["how"].get_ref<const std::string&>();
  std::string text = how == "proved" ? "proved optimal" : how == "best-known" ? "best known" : how;
  if (how == "proved") return text;
  if (number.contains("best_known") && number["best_known"] != number["value"]) {
    text += "; known until now: " + compact(number["best_known"]);
  }
  if (number.contains("at_least")) text += "; at least " + compact(number["at_least"]) + " are necessary";
  return text;
}

/// A line for each number that the quick form determined: `switches: 23 (best known; at least 22 are necessary)`.
std::string settled_lines(const Json& answer) {
  std::string lines;
  if (!answer.contains("settled")) return lines;
  for (const auto& number : answer["settled"].items()) {
    lines += number.key() + ": " + compact(number.value()["value"]) + " (" + describe_how(number.value()) + ")\n";
  }
  return lines;
}

}  // namespace

std::string design_text(const Json& document, const Spec& spec, const Json& answer, const std::string& path) {
  return wiring_table(wiring_facts(document, spec)) + "\n" + settled_lines(answer) + outcome_line(answer, path);
}

}  // namespace fnn
