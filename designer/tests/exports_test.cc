// SPDX-License-Identifier: GPL-3.0-or-later
#include "export/exports.h"

#include <gtest/gtest.h>

#include <set>

#include "export/cables.h"
#include "fabrics.h"
#include "support.h"

namespace fnn::testing {
namespace {

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(Exports, EveryCableHasItsOwnSockets) {
  for (const char* inventory : {"lab", "eight", "klat2", "homelab16/ports8-uplink"}) {
    std::set<std::pair<std::string, std::string>> sockets;
    const std::vector<PluggedCable> cables = plugged_cables(committed(inventory));
    for (const PluggedCable& cable : cables) {
      EXPECT_TRUE(sockets.emplace(cable.from, cable.from_port).second) << inventory;
      EXPECT_TRUE(sockets.emplace(cable.device, cable.device_port).second) << inventory;
    }
  }
}

TEST(Exports, ContainEveryDeviceAndCableOfSixNodes) {
  // Twelve links and three cables to the uplink switch; six nodes and four switches.
  const Design lab = committed("lab");
  EXPECT_EQ(count_of(dot_of(lab), " -- "), 15U);
  EXPECT_NE(dot_of(lab).find("\"k00\":\"eth0\" -- \"red\":\"swp1\";"), std::string::npos);
  EXPECT_EQ(count_of(graphml_of(lab), "<edge "), 15U);
  EXPECT_EQ(count_of(graphml_of(lab), "<node "), 10U);
  EXPECT_EQ(count_of(graphml_of(lab), "<data key=\"mbps\">1000<"), 12U);
  EXPECT_EQ(count_of(netbox_of(lab), "\n"), 16U);
  EXPECT_EQ(count_of(slurm_of(lab), "\n"), 1U);
}

TEST(Exports, SimGridHasARouteForEveryPairOrForEveryPairOfNicsOnASwitch) {
  const Design lab = committed("lab");
  const std::string basic = simgrid_of(lab, false, 1);
  EXPECT_EQ(count_of(basic, "<host "), 6U);
  EXPECT_EQ(count_of(basic, "<link "), 12U);
  EXPECT_EQ(count_of(basic, "<route "), 30U);
  // Four nodes on each of three switches: 3 x 4 x 3.
  const std::string advanced = simgrid_of(lab, true, 1);
  EXPECT_EQ(count_of(advanced, "<host "), 12U);
  EXPECT_EQ(count_of(advanced, "<route "), 36U);
}

TEST(Exports, AreWrittenByTheProgram) {
  const std::string design = std::filesystem::path(FNN_INVENTORY) / "eight" / "design.json";
  for (const char* format : {"graphml", "dot", "netbox", "slurm", "simgrid"}) {
    const ProgramResult ran = run_designer({"export", "--format", format, design});
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_FALSE(ran.out.empty());
  }
  EXPECT_EQ(run_designer({"export", "--format", "png", design}).code, 2);
}

}  // namespace
}  // namespace fnn::testing
