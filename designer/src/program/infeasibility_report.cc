// SPDX-License-Identifier: GPL-3.0-or-later
#include "program/infeasibility_report.h"

#include <iostream>
#include <sstream>
#include <stdexcept>

#include "base/rounding.h"
#include "design/check_certificate.h"
#include "oracle/suggestions.h"
#include "program/answer.h"
#include "program/cli.h"

namespace fnn {
namespace {

constexpr double kTrialSeconds = 2.0;  // for all changes together
constexpr std::int64_t kTrialGenerations = 4;
constexpr std::size_t kMostTrialNodes = 512;

/// A short search for a design of a changed spec.
bool can_be_designed(const Spec& spec, const Demand& demand, double seconds_left) {
  if (spec.nodes.size() > kMostTrialNodes || seconds_left <= 0) return false;
  const Limits limits(spec);
  const auto deadline = std::chrono::steady_clock::now() +
                        std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                            std::chrono::duration<double>(seconds_left));
  const Outcome outcome = search_islands(limits, Movable(limits), Objective(demand), {}, GeneticSettings{}, 1,
                                         {deadline, kTrialGenerations}, [](std::int64_t, const Individual&) {});
  return outcome.best.deficit == 0;
}

Trial trial_until(std::chrono::steady_clock::time_point end) {
  return [end](const Spec& spec, const Demand& demand) {
    const std::chrono::duration<double> left = end - std::chrono::steady_clock::now();
    return can_be_designed(spec, demand, left.count());
  };
}

std::string line_of(const Suggestion& one, const Spec& spec) {
  std::ostringstream line;
  line << (one.designed ? "  feasible with " : "  no proof against ") << one.message;
  if (one.price) line << ", for " << *one.price;
  if (const Json& prices = spec.normal["prices"]; one.price && prices.contains("currency")) {
    line << " " << prices["currency"].get<std::string>();
  }
  return line.str();
}

Json to_json(const Suggestion& one, const Spec& spec) {
  Json json = {{"change", one.change}, {"add", one.add}, {"message", one.message}, {"designed", one.designed}};
  if (one.price) json["price"] = *one.price;
  if (const Json& prices = spec.normal["prices"]; one.price && prices.contains("currency")) json["currency"] = prices["currency"];
  return json;
}

Json to_json(const Certificate& certificate) {
  Json json = {{"bound", certificate.broken.name},
               {"message", certificate.broken.message},
               {"needed", certificate.broken.needed},
               {"available", certificate.broken.available}};
  if (certificate.cases) json["cases"] = *certificate.cases;
  if (const auto& multiplier = certificate.broken.multiplier) {
    json["multiplier"] = {{"numerator", multiplier->numerator}, {"denominator", multiplier->denominator}};
  }
  return json;
}

}  // namespace

Json checked_certificate(const Spec& spec, const Certificate& certificate) {
  Json json = to_json(certificate);
  const std::optional<bool> proved = check_certificate(spec.normal, json);
  if (!proved) return json;
  if (!*proved) throw std::logic_error("the check rejects the proof that there is no design: " + compact(json));
  json["checked"] = true;
  return json;
}

Json to_json(const std::vector<StageReport>& stages) {
  Json list = Json::array();
  for (const StageReport& stage : stages) {
    list.push_back({{"stage", stage.name},
                    {"seconds", rounded(stage.seconds, 1e6)},
                    {"outcome", stage.outcome}});
  }
  return list;
}

int report_infeasible(const Spec& spec, const Certificate& certificate, const std::vector<StageReport>& stages) {
  const Json proof = checked_certificate(spec, certificate);
  std::cerr << certificate.broken.message << "\n";
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                                          std::chrono::duration<double>(kTrialSeconds));
  Json suggestions = Json::array();
  for (const Suggestion& one : suggest_changes(spec, trial_until(end))) {
    suggestions.push_back(to_json(one, spec));
    std::cerr << line_of(one, spec) << "\n";
  }
  print({{"verdict", "infeasible"},
         {"certificate", proof},
         {"suggestions", suggestions},
         {"stages", to_json(stages)}},
        [] { return ""; });  // it is on standard error
  return kInfeasible;
}

}  // namespace fnn
