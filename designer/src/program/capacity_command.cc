// SPDX-License-Identifier: GPL-3.0-or-later
// The capacity table: for each number of ports and NICs, the most nodes that a construction reaches.
#include <algorithm>
#include <charconv>
#include <iostream>
#include <memory>

#include "base/problem.h"
#include "base/writing.h"
#include "design/design_document.h"
#include "export/wiring_facts.h"
#include "export/wiring_table.h"
#include "oracle/capacity.h"
#include "oracle/constructions.h"
#include "program/answer.h"
#include "program/cli.h"
#include "program/command_line.h"
#include "program/commands.h"
#include "program/plain_spec.h"

namespace fnn {
namespace {

constexpr int kMostTableNics = 17;  // the largest plane in families.cc has order 16
constexpr int kMostTablePorts = 4096;

struct CapacityOptions {
  std::string ports = "2..1024";
  std::string nics = "2..6";
  std::string format = "csv";
  std::string witness;
  std::string output;
};

struct Span {
  int least;
  int most;
};

bool read_number(const char*& at, const char* end, int& number) {
  const auto [next, error] = std::from_chars(at, end, number);
  at = next;
  return error == std::errc{};
}

/// Two numbers with `between` between them; a single number stands for both where `allow_single` allows it.
Span read_span(const std::string& option, const std::string& text, const std::string& between, bool allow_single,
               Problems& problems) {
  const char* at = text.data();
  const char* const end = at + text.size();
  Span span{0, 0};
  bool sound = read_number(at, end, span.least);
  if (sound && at == end && allow_single) return {span.least, span.least};
  sound = sound && std::string(at, end).starts_with(between);
  if (sound) {
    at += between.size();
    sound = read_number(at, end, span.most) && at == end;
  }
  if (!sound) {
    problems.add(option, shown(text) + " is not two numbers like 2" + between + "6");
    return {2, 2};
  }
  return span;
}

void require_within(const std::string& option, int number, int most, Problems& problems) {
  if (number < 2 || number > most) {
    problems.add(option, std::to_string(number) + " is not from 2 to " + std::to_string(most));
  }
}

void require_range(const std::string& option, const Span& span, int most, Problems& problems) {
  require_within(option, span.least, most, problems);
  require_within(option, span.most, most, problems);
  if (span.least > span.most) problems.add(option, "the first number is greater than the last");
}

/// The number of switches with at least one node.
int used_switches(const Capacity& entry) {
  std::vector<int> load(static_cast<std::size_t>(entry.family.switches), 0);
  for (std::size_t type = 0; type < entry.family.types.size(); ++type) {
    for (const int device : entry.family.types[type]) load[static_cast<std::size_t>(device)] += entry.blown.copies[type];
  }
  return static_cast<int>(std::count_if(load.begin(), load.end(), [](int nodes) { return nodes > 0; }));
}

Json to_json(const Capacity& entry) {
  return {{"ports", entry.ports},
          {"nics", entry.nics},
          {"nodes", entry.nodes},
          {"bound", entry.bound},
          {"proved", entry.is_proved()},
          {"switches", used_switches(entry)},
          {"construction", entry.family.name}};
}

std::string text_of(const Capacity& entry, const std::string& path) {
  return path + ": " + counted(entry.nodes, "node") + " with " + counted(entry.nics, "NIC") + " on " +
         counted(used_switches(entry), "switch") + " with " + counted(entry.ports, "port") + ", by " + entry.family.name +
         (entry.is_proved() ? "; more are impossible\n" : "; more than " + std::to_string(entry.bound) + " are impossible\n");
}

void print_csv(const Span& ports, const Span& nics) {
  std::cout << "ports";
  for (int r = nics.least; r <= nics.most; ++r) std::cout << ",n" << r;
  std::cout << "\n";
  for (int w = ports.least; w <= ports.most; ++w) {
    std::cout << w;
    for (int r = nics.least; r <= nics.most; ++r) std::cout << "," << capacity(r, w).nodes;
    std::cout << "\n";
  }
}

void print_json(const Span& ports, const Span& nics) {
  Json entries = Json::array();
  for (int w = ports.least; w <= ports.most; ++w) {
    for (int r = nics.least; r <= nics.most; ++r) entries.push_back(to_json(capacity(r, w)));
  }
  std::cout << compact({{"entries", entries}}) << "\n";
}

/// Writes the design of one entry, for exactly its number of nodes and switches.
int write_witness(const Span& entry_place, const std::string& output) {
  const Capacity entry = capacity(entry_place.most, entry_place.least);
  const PlainNumbers numbers{static_cast<int>(entry.nodes), entry.nics, entry.ports, entry.family.switches};
  const Spec spec = read_spec(plain_spec_document(numbers, "capacity", false));
  const Limits limits(spec);
  const std::vector<Wiring> built = construct(limits, Demand(spec));
  const Cabling cabling = cabled(tidied(links_of(built.front()), spec), {}, limits);
  const Json document = design_document(spec, cabling, 0, compute_bounds(spec), std::nullopt);
  if (output.empty()) {
    std::cout << (prints_text() ? wiring_table(wiring_facts(document, spec)) : pretty(document));
  } else {
    write_atomically(output, pretty(document));
    print(to_json(entry), [&] { return text_of(entry, output); });
  }
  return kFound;
}

int run_capacity(const CapacityOptions& options) {
  Problems problems;
  const Span ports = read_span("--ports", options.ports, "..", true, problems);
  const Span nics = read_span("--nics", options.nics, "..", true, problems);
  Span witness{2, 2};
  if (!options.witness.empty()) witness = read_span("--witness", options.witness, ",", false, problems);
  require_range("--ports", ports, kMostTablePorts, problems);
  require_range("--nics", nics, kMostTableNics, problems);
  require_within("--witness", witness.least, kMostTablePorts, problems);
  require_within("--witness", witness.most, kMostTableNics, problems);
  if (!options.output.empty() && options.witness.empty()) problems.add("--output", "requires --witness");
  if (!problems.empty()) throw BadInput(problems.sorted());

  if (!options.witness.empty()) return write_witness(witness, options.output);
  if (options.format == "csv" && !json_requested()) print_csv(ports, nics);
  else print_json(ports, nics);
  return kFound;
}

}  // namespace

void add_capacity(CLI::App& app, Action& action) {
  const auto options = std::make_shared<CapacityOptions>();
  CLI::App* command = add_command(
      app, "capacity",
      {"Print the most nodes for each number of ports and NICs",
       "Reads no file. Prints a table with the most nodes that a construction reaches, a line for each number of ports\n"
       "and a column for each number of NICs. With --witness it prints or writes the design of one entry.",
       {"capacity --ports 8..24 --nics 2..4", "capacity --ports 24 --nics 3 --json",
        "capacity --witness 24,3 -o design.json"}});
  command->add_option("--ports", options->ports, "Ports for nodes on each switch, from..to")->capture_default_str();
  command->add_option("--nics", options->nics, "NICs of each node, from..to")->capture_default_str();
  command->add_option("--format", options->format, "csv, or json with bounds and constructions")
      ->check(CLI::IsMember({"csv", "json"}))
      ->capture_default_str();
  command->add_option("--witness", options->witness, "PORTS,NICS: write the design of one entry instead");
  command->add_option("-o,--output", options->output, "Where to write the witness instead of standard output");
  add_json_flag(*command, "Print JSON: as --format json, or with --witness also on a terminal");
  command->callback([&action, options] { action = [options] { return run_capacity(*options); }; });
}

}  // namespace fnn
