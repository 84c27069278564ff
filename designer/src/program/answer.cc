// SPDX-License-Identifier: GPL-3.0-or-later
#include "program/answer.h"

#include <unistd.h>

#include <iostream>

#include "program/launch.h"

namespace fnn {
namespace {

bool g_json_requested = false;

}  // namespace

void add_json_flag(CLI::App& command, const std::string& description) {
  command.add_flag("--json", g_json_requested, description);
}

bool json_requested() { return g_json_requested; }

bool prints_text() { return !g_json_requested && !has_launcher() && ::isatty(STDOUT_FILENO) == 1; }

void print(const Json& answer, const std::function<std::string()>& text) {
  if (prints_text()) std::cout << text();
  else std::cout << compact(answer) << "\n";
}

}  // namespace fnn
