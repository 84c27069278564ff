// SPDX-License-Identifier: GPL-3.0-or-later
#include "alternatives/price_list.h"

#include "spec/shape.h"

namespace fnn {
namespace {

constexpr std::int64_t kMostPorts = 65536;
constexpr std::int64_t kMostMbps = 1000000000;
constexpr std::int64_t kMostGbps = 1000000000;
constexpr std::int64_t kHighestPrice = 1000000000000;  // so that no sum of prices is infinite
constexpr std::size_t kMostEntries = 10000;

bool is_number(const Json& value) { return value.is_number(); }

/// Sockets, and ports of other kinds, are for `./fnn advise`, which gives the engine lists of what fits its question.
Key media(bool required = kOptional) {
  return {"media", required, one_of({"rj45", "sfp", "sfp+", "sfp28", "sfp56", "qsfp", "qsfp+", "qsfp28", "qsfp56", "qsfp-dd",
                                     "osfp", "usb4"})};
}

Check entries(std::vector<Key> keys) {
  keys.push_back({"speed_mbps", kRequired, positive_integer(kMostMbps)});
  keys.push_back({"price", kRequired, non_negative_number(kHighestPrice)});
  keys.push_back({"source", kRequired, text()});
  return array_of(object_of(std::move(keys)), 0, kMostEntries);
}

Check shape_of_prices() {
  const Check ports = positive_integer(kMostPorts);
  return object_of({{"format", kRequired, constant("fnn-prices")},
                    {"version", kRequired, constant(1)},
                    {"name", kRequired, name_of_length(0)},
                    {"date", kRequired, text()},
                    {"currency", kRequired, text()},
                    {"notes", kOptional, array_of(text(), 0, kMostEntries)},
                    {"switches", kOptional,
                     entries({{"name", kRequired, text()},
                              {"ports", kRequired, ports},
                              {"more_ports", kOptional, text()},
                              media(),
                              {"internal_gbps", kOptional, or_null(positive_number(kMostGbps), "a positive number", is_number)}})},
                    {"nics", kOptional, entries({{"name", kRequired, text()}, {"ports", kRequired, ports}, media()})},
                    {"cables", kOptional, entries({media()})},
                    {"modules", kOptional, entries({media(kRequired)})},
                    {"connections", kOptional, entries({})}});
}

std::vector<PriceList::Piece> pieces(const Json& document, const char* key) {
  std::vector<PriceList::Piece> found;
  for (const Json& piece : document.value(key, Json::array())) found.push_back({piece["speed_mbps"], piece["price"]});
  return found;
}

}  // namespace

PriceList read_price_list(const Json& document) {
  Problems problems;
  shape_of_prices()(document, "", problems);
  if (!problems.empty()) throw BadInput(problems.sorted());
  const Json plain = with_integers(document);
  PriceList list{plain["name"], plain["date"], plain["currency"], {}, {}, pieces(plain, "cables"), pieces(plain, "connections")};
  for (const Json& device : plain.value("switches", Json::array())) {
    std::optional<double> gbps;
    if (const Json inside = device.value("internal_gbps", Json(nullptr)); !inside.is_null()) gbps = inside.get<double>();
    list.switches.push_back({device["name"], device["ports"], device["speed_mbps"], device["price"], gbps});
  }
  for (const Json& nic : plain.value("nics", Json::array())) {
    list.nics.push_back({nic["name"], nic["ports"], nic["speed_mbps"], nic["price"]});
  }
  return list;
}

}  // namespace fnn
