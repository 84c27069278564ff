// SPDX-License-Identifier: GPL-3.0-or-later
#include "spec/media.h"

#include <map>

namespace fnn {

std::string media_family(const std::string& media) {
  for (const char* family : {"sfp", "qsfp"}) {
    if (media.starts_with(family)) return family;
  }
  return media;
}

int most_mbps(const std::string& media) {
  static const std::map<std::string, int> most = {
      {"rj45", 10000},  {"sfp", 50000},   {"sfp+", 10000},    {"sfp28", 25000},   {"sfp56", 50000},    {"usb4", 80000},
      {"qsfp", 800000}, {"qsfp+", 40000}, {"qsfp28", 100000}, {"qsfp56", 200000}, {"qsfp-dd", 800000}, {"osfp", 1600000}};
  return most.at(media);
}

}  // namespace fnn
