// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/wiring_text.h"

#include <array>
#include <charconv>

namespace fnn {
namespace {

void append(std::string& text, int number) {
  std::array<char, 12> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  text.append(digits.data(), end);
}

/// Consumes the NICs of one group at the front of the text and plugs them in; false when they do not fit.
bool plug_group(std::string_view& text, int group, Wiring& wiring) {
  const std::size_t end = text.find(';');
  if (end == std::string_view::npos) return false;
  const int nics = static_cast<int>(wiring.limits().nics.size());
  for (const char* at = text.data(); at != text.data() + end;) {
    int nic = 0;
    const auto [next, error] = std::from_chars(at, text.data() + end, nic);
    if (error != std::errc{} || nic < 0 || nic >= nics) return false;
    if (wiring.group(nic) != kDummy || !wiring.can_plug(nic, group)) return false;
    wiring.plug(nic, group);
    at = next;
    if (at != text.data() + end && *at++ != ' ') return false;
  }
  text.remove_prefix(end + 1);
  return true;
}

}  // namespace

std::string write_wiring(const Wiring& wiring) {
  std::string text;
  for (std::size_t group = 0; group < wiring.limits().groups.size(); ++group) {
    const char* gap = "";
    for (const int nic : wiring.nics_on(static_cast<int>(group))) {
      text += gap;
      append(text, nic);
      gap = " ";
    }
    text += ';';
  }
  return text;
}

std::optional<Wiring> read_wiring(std::string_view text, const Limits& limits) {
  Wiring wiring(limits);
  for (std::size_t group = 0; group < limits.groups.size(); ++group) {
    if (!plug_group(text, static_cast<int>(group), wiring)) return std::nullopt;
  }
  if (!text.empty()) return std::nullopt;
  return wiring;
}

}  // namespace fnn
