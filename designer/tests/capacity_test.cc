// SPDX-License-Identifier: GPL-3.0-or-later
// data/fnntab-2001.csv at the top of the repository is the table of the authors of the first flat neighborhood tools
// (aggregate.org, 2001): most PCs for each number of ports and NICs.
#include "oracle/capacity.h"

#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <numeric>
#include <sstream>

#include "support.h"

namespace fnn::testing {
namespace {

using Row = std::array<long long, 6>;  // ports, then nodes for 2 to 6 NICs

std::vector<Row> table_of_2001() {
  std::ifstream file(std::string(FNN_TEST_DATA) + "/../../../data/fnntab-2001.csv");
  std::string line;
  std::getline(file, line);
  std::vector<Row> rows;
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    Row row{};
    std::string cell;
    for (long long& number : row) {
      std::getline(cells, cell, ',');
      number = std::stoll(cell);
    }
    rows.push_back(row);
  }
  return rows;
}

TEST(Capacity, IsNeverLessThanTheTableOf2001AndOnAverageMore) {
  std::array<double, 7> ratios{};
  const auto rows = table_of_2001();
  ASSERT_EQ(rows.size(), 1023U);
  for (const Row& row : rows) {
    for (std::size_t nics = 2; nics <= 6; ++nics) {
      const Capacity entry = capacity(static_cast<int>(nics), static_cast<int>(row[0]));
      EXPECT_GE(entry.nodes, row[nics - 1]) << row[0] << " ports, " << nics << " NICs";
      EXPECT_LE(entry.nodes, entry.bound);
      ratios[nics] += static_cast<double>(entry.nodes) / static_cast<double>(row[nics - 1]) / 1023.0;
    }
  }
  EXPECT_GE(ratios[4], 1.08);
  EXPECT_GE(ratios[5], 1.25);
  EXPECT_GE(ratios[6], 1.40);
}

TEST(Capacity, GrowsWithPortsAndWithNics) {
  for (int ports = 2; ports < 80; ++ports) {
    for (int nics = 2; nics <= 6; ++nics) {
      const long long nodes = capacity(nics, ports).nodes;
      EXPECT_LE(nodes, capacity(nics, ports + 1).nodes);
      EXPECT_LE(nodes, capacity(nics + 1, ports).nodes);
    }
  }
}

TEST(Capacity, EveryEntryHasABlowUpThatFits) {
  for (int ports = 2; ports < 80; ++ports) {
    for (int nics = 2; nics <= 6; ++nics) {
      const Capacity entry = capacity(nics, ports);
      std::vector<int> load(static_cast<std::size_t>(entry.family.switches), 0);
      for (std::size_t type = 0; type < entry.family.types.size(); ++type) {
        for (const int device : entry.family.types[type]) {
          load[static_cast<std::size_t>(device)] += entry.blown.copies[type];
        }
      }
      for (const int nodes : load) EXPECT_LE(nodes, ports);
      EXPECT_EQ(count_nodes(entry.blown), entry.nodes);
      EXPECT_LE(entry.family.rank(), static_cast<std::size_t>(nics));
    }
  }
}

// The complete list of open entries: NICs, ports, nodes reached, bound. All other entries are proved.
TEST(Capacity, IsProvedExceptForFiveEntries) {
  std::vector<std::array<long long, 4>> open;
  for (int nics = 2; nics <= 6; ++nics) {
    for (int ports = 2; ports <= 1024; ++ports) {
      const Capacity entry = capacity(nics, ports);
      if (!entry.is_proved()) open.push_back({nics, ports, entry.nodes, entry.bound});
    }
  }
  const std::vector<std::array<long long, 4>> expected = {
      {5, 11, 43, 44}, {6, 7, 32, 33}, {6, 13, 63, 65}, {6, 14, 69, 70}, {6, 19, 94, 95}};
  EXPECT_EQ(open, expected);
}

// The degree bound and Fueredi's allow 15, 24, 28, 40 and 45 nodes. So many need more switches than can be full.
TEST(Capacity, IsLimitedByTheSizesOfSwitches) {
  const std::vector<std::array<int, 3>> table = {{4, 5, 14}, {5, 6, 22}, {5, 7, 27}, {6, 8, 38}, {6, 9, 44}};
  for (const auto& [nics, ports, nodes] : table) EXPECT_EQ(capacity_bound(nics, ports), nodes) << nics << "/" << ports;
}

// A Steiner triple system of order 13 exists; none of order 11 does, so 5 NICs on 3 ports join only 10 nodes.
TEST(Capacity, OfThreePortsIsThatOfTripleSystems) {
  EXPECT_EQ(capacity(6, 3).nodes, 13);
  EXPECT_EQ(capacity(5, 3).nodes, 10);
  EXPECT_EQ(capacity_bound(5, 3), 10);
}

TEST(CapacityCommand, WritesTheTableAndAWitnessThatCheckAccepts) {
  EXPECT_EQ(run_designer({"capacity", "--ports", "4..5", "--nics", "3..4"}).out, "ports,n3,n4\n4,8,13\n5,11,14\n");
  const Json json = run_designer({"capacity", "--ports", "31", "--nics", "4", "--format", "json"}).answer();
  EXPECT_EQ(json["entries"][0]["nodes"], 100);
  EXPECT_EQ(json["entries"][0]["proved"], true);
  const TemporaryDirectory scratch;
  for (const char* place : {"3,6", "4,6", "2,5", "31,4", "32,6"}) {
    EXPECT_EQ(run_designer({"capacity", "--witness", place, "-o", scratch / "d.json"}).code, 0) << place;
    const ProgramResult check = run_designer({"check", scratch / "d.json"});
    EXPECT_EQ(check.code, 0) << place << check.err;
  }
}

TEST(CapacityCommand, ReportsEveryInvalidOption) {
  const ProgramResult ran = run_designer({"capacity", "--ports", "9..4", "--nics", "two"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.err,
            "--nics: \"two\" is not two numbers like 2..6\n--ports: the first number is greater than the last\n");
}

}  // namespace
}  // namespace fnn::testing
