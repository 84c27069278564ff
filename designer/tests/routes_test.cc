// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "routing/ceiling.h"
#include "routing/choice.h"
#include "routing/peer_bound.h"
#include "routing/routes_document.h"
#include "support.h"

namespace fnn::testing {
namespace {

using std::size_t;

/// Nodes with links of random speeds to random switches.
Legs random_legs(Random& random) {
  const size_t switches = 1 + random.below(6);
  Legs legs(2 + random.below(24));
  for (auto& of_node : legs) {
    for (size_t device = 0; device < switches; ++device) {
      const int mbps = std::vector<int>{1000, 1000, 2500, 10000}[random.below(4)];
      if (!random.one_in(3)) of_node.push_back({static_cast<int>(device), mbps});
    }
  }
  return legs;
}

/// All nodes on the same switches, all links of one speed.
Legs rails(size_t nodes, int switches) {
  std::vector<Leg> of_node;
  for (int device = 0; device < switches; ++device) of_node.push_back({device, 1000});
  return Legs(nodes, of_node);
}

/// Hall's condition by definition: every set of NICs must have room for the peers that only it reaches.
bool has_room(size_t node, const Legs& legs, const std::vector<int>& room) {
  for (size_t set = 1; set < (size_t{1} << legs[node].size()); ++set) {
    int peers = 0;
    for (size_t peer = 0; peer < legs.size(); ++peer) {
      size_t choice = 0;
      if (peer == node) continue;
      for (const SharedLeg& shared : shared_legs(legs[node], legs[peer])) choice |= size_t{1} << shared.from_leg;
      if (choice != 0 && (choice & ~set) == 0) ++peers;
    }
    for (size_t leg = 0; leg < room.size(); ++leg) {
      if ((set >> leg & 1U) != 0) peers -= room[leg];
    }
    if (peers > 0) return false;
  }
  return true;
}

/// Whether less room also suffices, at the next smaller number of peers per Gb/s.
bool less_would_do(size_t node, const Legs& legs, const std::vector<int>& bound) {
  for (size_t leg = 0; leg < bound.size(); ++leg) {
    if (bound[leg] == 0) continue;
    std::vector<int> less;
    for (size_t other = 0; other < bound.size(); ++other) {
      // Equivalent to just under bound[leg] peers on this leg.
      const long long peers = static_cast<long long>(bound[leg]) * legs[node][other].mbps - 1;
      less.push_back(std::min(bound[other], static_cast<int>(peers / legs[node][leg].mbps)));
    }
    if (less != bound && has_room(node, legs, less)) return true;
  }
  return false;
}

TEST(PeerBound, IsTheMinimumByHallsTheorem) {
  Random random(1);
  for (int round = 0; round < 300; ++round) {
    const Legs legs = random_legs(random);
    const auto bounds = peer_bounds(legs);
    for (size_t node = 0; node < legs.size(); ++node) {
      EXPECT_TRUE(has_room(node, legs, bounds[node])) << "round " << round << " node " << node;
      EXPECT_FALSE(less_would_do(node, legs, bounds[node])) << "round " << round << " node " << node;
    }
  }
}

TEST(PeerBound, CountsPeersThatHaveNoOtherSwitch) {
  // n000 meets one peer on red only, three on blue only, and one on both.
  const Leg red{0, 1000};
  const Leg blue{1, 1000};
  const Legs legs = {{red, blue}, {red}, {blue}, {blue}, {blue}, {red, blue}};
  EXPECT_EQ(peer_bounds(legs)[0], (std::vector<int>{3, 3}));
}

TEST(PeerBound, GivesFastNicsMorePeers) {
  Legs legs = rails(12, 2);
  for (auto& of_node : legs) of_node[1].mbps = 10000;
  EXPECT_EQ(peer_bounds(legs)[0], (std::vector<int>{1, 10}));
}

struct Counts {
  int most_over = 0;  ///< greatest excess of a NIC over its ceiling
  int asymmetric_pairs = 0;
};

/// Chooses routes, checks that every pair with a shared switch has a route over one, and counts.
Counts counted(const Legs& legs, Random& random) {
  const PeerLimits limits = peer_limits(legs);
  const Choice choice = choose_legs(legs, limits, random);
  Counts counts;
  std::map<std::pair<size_t, size_t>, int> sends;
  std::map<std::pair<size_t, size_t>, int> receives;
  for (size_t a = 0; a < legs.size(); ++a) {
    for (size_t b = 0; b < legs.size(); ++b) {
      std::map<size_t, size_t> over;
      for (const SharedLeg& shared : shared_legs(legs[a], legs[b])) over[shared.from_leg] = shared.to_leg;
      if (a == b) over.clear();
      const size_t leg = choice.leg(a, b);
      EXPECT_EQ(leg == Choice::kNone, over.empty());
      if (over.empty()) continue;
      EXPECT_TRUE(over.contains(leg));
      ++sends[{a, leg}];
      ++receives[{b, over[leg]}];
      if (a < b && choice.leg(b, a) != over[leg]) ++counts.asymmetric_pairs;
    }
  }
  for (const auto& loads : {sends, receives}) {
    for (const auto& [nic, peers] : loads) counts.most_over = std::max(counts.most_over, peers - limits.ceiling[nic.first][nic.second]);
  }
  return counts;
}

/// Peers per Gb/s of the busiest NIC under the best of all choices, with independent directions.
double best_of_all_choices(const Legs& legs) {
  std::vector<std::pair<std::pair<size_t, size_t>, std::vector<SharedLeg>>> jobs;
  for (size_t a = 0; a < legs.size(); ++a) {
    for (size_t b = 0; b < legs.size(); ++b) {
      const std::vector<SharedLeg> over = shared_legs(legs[a], legs[b]);
      if (a != b && !over.empty()) jobs.push_back({{a, b}, over});
    }
  }
  double best = 1e9;
  std::map<std::pair<size_t, size_t>, int> sends;
  std::map<std::pair<size_t, size_t>, int> receives;
  const auto load = [&](const auto& peers, size_t node, size_t leg) { return 1e3 * peers.at({node, leg}) / legs[node][leg].mbps; };
  const auto choose = [&](const auto& self, size_t job, double most) -> void {
    if (most >= best) return;
    if (job == jobs.size()) best = most;
    if (job == jobs.size()) return;
    const auto& [pair, over] = jobs[job];
    for (const SharedLeg& leg : over) {
      ++sends[{pair.first, leg.from_leg}];
      ++receives[{pair.second, leg.to_leg}];
      self(self, job + 1,
           std::max({most, load(sends, pair.first, leg.from_leg), load(receives, pair.second, leg.to_leg)}));
      --sends[{pair.first, leg.from_leg}];
      --receives[{pair.second, leg.to_leg}];
    }
  };
  choose(choose, 0, 0);
  return best;
}

TEST(Ceiling, IsNeverAboveTheBestOfAllChoices) {
  Random random(5);
  int reached = 0;
  for (int round = 0; round < 60; ++round) {
    Legs legs = random_legs(random);
    legs.resize(std::min<size_t>(legs.size(), 5));
    const auto ceiling = peer_limits(legs).ceiling;
    double bound = 0;
    for (size_t node = 0; node < legs.size(); ++node) {
      for (size_t leg = 0; leg < legs[node].size(); ++leg) bound = std::max(bound, 1e3 * ceiling[node][leg] / legs[node][leg].mbps);
    }
    const double best = best_of_all_choices(legs);
    if (best > 1e8) continue;
    EXPECT_LE(bound, best + 1e-9) << "round " << round;
    if (bound > best - 1e-9) ++reached;
  }
  EXPECT_GT(reached, 40);
}

TEST(Routes, ExistOverASharedSwitchForEveryPairThatHasOne) {
  Random random(2);
  for (int round = 0; round < 300; ++round) {
    counted(random_legs(random), random);
  }
}

TEST(Routes, AreAsymmetricOnlyWhereParityRequiresIt) {
  Random random(3);
  // Seven nodes have six peers over two NICs, three each: an odd number of ends per switch. Nine nodes have
  // eight peers, four each: an even number.
  const Counts odd = counted(rails(7, 2), random);
  EXPECT_EQ(odd.most_over, 0);
  EXPECT_GT(odd.asymmetric_pairs, 0);
  const Counts even = counted(rails(9, 2), random);
  EXPECT_EQ(even.most_over, 0);
  EXPECT_EQ(even.asymmetric_pairs, 0);
}

TEST(Routes, OfRailsMeetTheBound) {
  Random random(4);
  for (size_t nodes = 2; nodes < 40; ++nodes) {
    for (int switches = 1; switches < 6; ++switches) {
      EXPECT_EQ(counted(rails(nodes, switches), random).most_over, 0) << nodes << " on " << switches;
    }
  }
}

class CommittedRoutes : public ::testing::TestWithParam<const char*> {};

TEST_P(CommittedRoutes, MeetTheBoundOfPeersPerNic) {
  const TemporaryDirectory scratch;
  const std::string design = std::string(FNN_INVENTORY "/") + GetParam() + "/design.json";
  const ProgramResult ran = run_designer({"routes", design, "-o", scratch / "routes.json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.answer()["most_peers_per_gbps"], ran.answer()["bound_peers_per_gbps"]);
}

INSTANTIATE_TEST_SUITE_P(Clusters, CommittedRoutes,
                         ::testing::Values("lab", "example", "eight", "klat2", "klat2-lean", "kasy0", "homelab16/ports8",
                                           "homelab16/ports16", "homelab16/ports8-uplink", "homelab16/ports16-uplink"));

TEST(RoutesDocument, HasARowPerNodeWithTheCodeOfASwitchPerPeer) {
  const TemporaryDirectory scratch;
  const Json design = read_json(FNN_INVENTORY "/lab/design.json");
  ASSERT_EQ(run_designer({"routes", FNN_INVENTORY "/lab/design.json", "-o", scratch / "routes.json"}).code, 0);
  const Json routes = read_json(scratch / "routes.json");
  // The six PCs: k00 and k01 on red and blue, k02 and k03 on red and green, k04 and k05 on blue and green.
  const std::string first = routes["nodes"][0]["row"];
  EXPECT_EQ(first[0], '.');
  EXPECT_EQ(first.substr(2), "0011");
  EXPECT_EQ(routes["nodes"][2]["row"].get<std::string>().substr(4), "22");
  EXPECT_EQ(routes["switches"][1], Json({{"switch", "blue"}, {"code", "1"}}));
}

TEST(RoutesDocument, IsReproducibleAndPadsCodesForManySwitches) {
  const TemporaryDirectory scratch;
  ASSERT_EQ(run_designer({"design", "--nodes", "40", "--nics", "39", "--ports", "2", "--switches", "780", "-o", scratch / "d.json"}).code, 0);
  for (const char* name : {"one.json", "two.json"}) {
    ASSERT_EQ(run_designer({"routes", scratch / "d.json", "-o", scratch / name}).code, 0);
  }
  EXPECT_EQ(read_json(scratch / "one.json"), read_json(scratch / "two.json"));
  const std::string row = read_json(scratch / "one.json")["nodes"][0]["row"];
  EXPECT_EQ(row.size(), 80U);
  EXPECT_EQ(row.substr(0, 2), "..");
}

TEST(RoutesDocument, IsRejectedForADesignWithWrongCables) {
  const TemporaryDirectory scratch;
  Json design = read_json(FNN_INVENTORY "/lab/design.json");
  design["nodes"][0]["links"][1]["switch"] = "red";
  write_file(scratch / "d.json", design.dump());
  const ProgramResult ran = run_designer({"routes", scratch / "d.json", "-o", scratch / "routes.json"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find("/nodes/0/links/1"), std::string::npos) << ran.err;
}

TEST(RoutesDocument, GivesUncoveredPairsNoRoute) {
  const TemporaryDirectory scratch;
  ASSERT_EQ(run_designer({"routes", FNN_INVENTORY "/kasy0/design.json", "-o", scratch / "routes.json"}).code, 0);
  const std::string row = read_json(scratch / "routes.json")["nodes"][0]["row"];
  EXPECT_NE(row.find('-'), std::string::npos);
}

}  // namespace
}  // namespace fnn::testing
