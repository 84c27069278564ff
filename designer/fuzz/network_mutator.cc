// SPDX-License-Identifier: GPL-3.0-or-later
#include "network_mutator.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <sstream>
#include <vector>

#include "base/problem.h"
#include "network/infiniband.h"

namespace fnn::fuzzing {
namespace {

using std::size_t;

constexpr size_t kMostNetworkChanges = 4;
constexpr size_t kMostLinesMoved = 6;
constexpr int kNetworkRepairs = 4;
constexpr std::string_view kBetween = "\n=\n";

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-'; }

/// Begin and length of a word or number.
struct Token {
  size_t begin;
  size_t length;
};

std::vector<Token> tokens_of(const std::string& line) {
  std::vector<Token> tokens;
  for (size_t at = 0; at < line.size();) {
    const size_t begin = at;
    while (at < line.size() && is_word(line[at])) ++at;
    if (at > begin) tokens.push_back({begin, at - begin});
    else ++at;
  }
  return tokens;
}

class TableMutation {
 public:
  TableMutation(const std::string& text, Random& random) : random_(random) {
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines_.push_back(line);
  }

  std::string run() {
    for (size_t i = 1 + random_.below(kMostNetworkChanges); i > 0 && !lines_.empty(); --i) change();
    std::string text;
    for (const std::string& line : lines_) text += line + "\n";
    return text;
  }

 private:
  size_t any_line() { return random_.below(lines_.size()); }

  void change() {
    switch (random_.below(8)) {
      case 0: return copy_lines();
      case 1: return remove_lines();
      case 2: return std::swap(lines_[any_line()], lines_[any_line()]);
      case 3: return rename_everywhere();
      case 4: case 5: return change_number();
      default: return exchange_token();
    }
  }

  void copy_lines() {
    const size_t begin = any_line();
    const size_t end = std::min(lines_.size(), begin + 1 + random_.below(kMostLinesMoved));
    const std::vector<std::string> copied(lines_.begin() + static_cast<std::ptrdiff_t>(begin),
                                          lines_.begin() + static_cast<std::ptrdiff_t>(end));
    lines_.insert(lines_.begin() + static_cast<std::ptrdiff_t>(any_line()), copied.begin(), copied.end());
  }

  void remove_lines() {
    const size_t begin = any_line();
    const size_t end = std::min(lines_.size(), begin + 1 + random_.below(kMostLinesMoved));
    lines_.erase(lines_.begin() + static_cast<std::ptrdiff_t>(begin), lines_.begin() + static_cast<std::ptrdiff_t>(end));
  }

  std::string any_token() {
    const std::string& line = lines_[any_line()];
    const std::vector<Token> tokens = tokens_of(line);
    if (tokens.empty()) return "0";
    const Token token = tokens[random_.below(tokens.size())];
    return line.substr(token.begin, token.length);
  }

  void exchange_token() {
    std::string& line = lines_[any_line()];
    const std::vector<Token> tokens = tokens_of(line);
    if (tokens.empty()) return;
    const size_t index = random_.below(tokens.size());
    // A token of the same column is likely to have the same meaning.
    const std::string& other = lines_[any_line()];
    const std::vector<Token> others = tokens_of(other);
    std::string replacement = any_token();
    if (index < others.size() && !random_.one_in(4)) replacement = other.substr(others[index].begin, others[index].length);
    line.replace(tokens[index].begin, tokens[index].length, replacement);
  }

  void change_number() {
    std::string& line = lines_[any_line()];
    std::vector<Token> numbers;
    for (const Token& token : tokens_of(line)) {
      const auto begin = line.begin() + static_cast<std::ptrdiff_t>(token.begin);
      if (token.length < 10 && std::all_of(begin, begin + static_cast<std::ptrdiff_t>(token.length),
                                           [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; })) {
        numbers.push_back(token);
      }
    }
    if (numbers.empty()) return exchange_token();
    const Token token = numbers[random_.below(numbers.size())];
    line.replace(token.begin, token.length, other_number(std::stol(line.substr(token.begin, token.length))));
  }

  std::string other_number(long number) {
    switch (random_.below(6)) {
      case 0: return std::to_string(number + 1);
      case 1: return std::to_string(number - 1);
      case 2: return std::to_string(2 * number);
      case 3: return "0";
      case 4: return std::to_string(random_.below(40));
      default: return std::to_string(std::uint64_t{1} << random_.below(34));
    }
  }

  void rename_everywhere() {
    const std::string from = any_token();
    const std::string to = any_token();
    for (std::string& line : lines_) {
      for (size_t at = line.find(from); at != std::string::npos; at = line.find(from, at + to.size())) {
        line.replace(at, from.size(), to);
        if (line.size() > 4096) return;
      }
    }
  }

  std::vector<std::string> lines_;
  Random& random_;
};

/// The text without the lines that problems name as "name:line".
std::string without_lines(const std::string& text, const std::vector<Problem>& problems, const std::string& name) {
  std::set<size_t> wrong;
  for (const Problem& problem : problems) {
    if (problem.at.starts_with(name + ":")) wrong.insert(std::stoul(problem.at.substr(name.size() + 1)));
  }
  std::istringstream stream(text);
  std::string left;
  std::string line;
  for (size_t number = 1; std::getline(stream, line); ++number) {
    if (!wrong.contains(number)) left += line + "\n";
  }
  return left;
}

/// True if the readers accept both parts.
bool repair(std::string& topology, std::string& tables) {
  try {
    InfinibandNetwork network = read_infiniband({topology, "topology"});
    if (!tables.empty()) read_tables({tables, "tables"}, {topology, "topology"}, network);
    return true;
  } catch (const BadInput& bad) {
    const auto is_loop = [](const Problem& problem) { return problem.at == "tables"; };
    topology = without_lines(topology, bad.problems(), "topology");
    if (std::any_of(bad.problems().begin(), bad.problems().end(), is_loop)) tables.clear();
    else tables = without_lines(tables, bad.problems(), "tables");
    return false;
  }
}

}  // namespace

std::pair<std::string, std::string> parts_of_network(const std::string& text) {
  const size_t end = text.find(kBetween);
  if (end == std::string::npos) return {text, ""};
  return {text.substr(0, end), text.substr(end + kBetween.size())};
}

std::string mutate_network(std::string_view text, Random& random) {
  const std::string mutated = TableMutation(std::string(text), random).run();
  if (random.one_in(8)) return mutated;
  auto [topology, tables] = parts_of_network(mutated);
  if (random.one_in(8)) tables.clear();
  for (int round = 0; round < kNetworkRepairs && !repair(topology, tables); ++round) continue;
  return tables.empty() ? topology : topology + std::string(kBetween) + tables;
}

}  // namespace fnn::fuzzing
