// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/problem.h"

#include <algorithm>
#include <cctype>

namespace fnn {
namespace {

std::vector<std::string> tokens(const std::string& pointer) {
  std::vector<std::string> parts;
  for (std::size_t start = 0; start < pointer.size();) {
    const std::size_t slash = std::min(pointer.find('/', start + 1), pointer.size());
    parts.push_back(pointer.substr(start, slash - start));
    start = slash;
  }
  return parts;
}

bool is_index(const std::string& token) {
  return token.size() > 1 && token.size() < 11 &&
         std::all_of(token.begin() + 1, token.end(), [](unsigned char c) { return std::isdigit(c); });
}

bool token_before(const std::string& a, const std::string& b) {
  if (is_index(a) && is_index(b)) return std::stoll(a.substr(1)) < std::stoll(b.substr(1));
  return a < b;
}

std::string joined_lines(const std::vector<Problem>& problems) {
  std::string lines;
  for (const Problem& problem : problems) lines += (lines.empty() ? "" : "\n") + problem.line();
  return lines;
}

}  // namespace

void Problems::add(std::string at, std::string message) {
  found_.push_back({std::move(at), std::move(message)});
}

std::vector<Problem> Problems::sorted() const {
  std::vector<Problem> problems = found_;
  std::stable_sort(problems.begin(), problems.end(), [](const Problem& a, const Problem& b) {
    const auto left = tokens(a.at);
    const auto right = tokens(b.at);
    return std::lexicographical_compare(left.begin(), left.end(), right.begin(), right.end(), token_before);
  });
  return problems;
}

BadInput::BadInput(std::vector<Problem> problems)
    : std::runtime_error(joined_lines(problems)), problems_(std::move(problems)) {}

Json to_json(const std::vector<Problem>& problems) {
  Json list = Json::array();
  for (const Problem& problem : problems) list.push_back({{"at", problem.at}, {"message", problem.message}});
  return {{"problems", list}};
}

std::string child(const std::string& at, const std::string& key) {
  std::string escaped;
  for (const char c : key) {
    if (c == '~') escaped += "~0";
    else if (c == '/') escaped += "~1";
    else escaped += c;
  }
  return at + "/" + escaped;
}

std::string child(const std::string& at, std::size_t index) { return at + "/" + std::to_string(index); }

std::string counted(long long count, const std::string& noun) {
  const bool es = noun.ends_with("ch");
  return std::to_string(count) + " " + noun + (count == 1 ? "" : es ? "es" : "s");
}

}  // namespace fnn
