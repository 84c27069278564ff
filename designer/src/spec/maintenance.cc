// SPDX-License-Identifier: GPL-3.0-or-later
#include "spec/maintenance.h"

namespace fnn {

Json maintenance_spec(const Json& spec) {
  const Json& maintenance = spec["maintenance"];
  const Json nic = {
      {"name", maintenance["nic"]}, {"speed_mbps", maintenance["speed_mbps"]}, {"media", maintenance["media"]}};
  Json nodes = Json::array();
  for (Json node : spec["nodes"]) {
    node["nics"] = Json::array({nic});
    nodes.push_back(std::move(node));
  }
  Json own = {{"format", spec["format"]},
              {"version", spec["version"]},
              {"cluster", spec["cluster"]},
              {"topology", maintenance["switches"].size() == 1 ? "switch" : "tree"},
              {"nodes", std::move(nodes)},
              {"switches", maintenance["switches"]},
              {"prices", spec["prices"]}};
  if (maintenance.contains("trunks")) own["trunks"] = maintenance["trunks"];
  if (spec.contains("racks")) own["racks"] = spec["racks"];
  return own;
}

}  // namespace fnn
