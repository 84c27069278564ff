// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/crossover.h"

#include <gtest/gtest.h>

#include "support.h"

namespace fnn::testing {
namespace {

int common_links(const Wiring& a, const Wiring& b) {
  int count = 0;
  for (int device = 0; device < a.limits().switch_count(); ++device) {
    for (int node = 0; node < a.limits().node_count(); ++node) {
      count += a.is_on(node, device) && b.is_on(node, device) ? 1 : 0;
    }
  }
  return count;
}

Wiring filled(const Limits& limits, Random& random) {
  Wiring wiring(limits);
  wiring.fill(random);
  return wiring;
}

TEST(Crossover, ChildrenAreWithinTheLimits) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const Limits limits(read_spec(random_spec(random)));
    const Wiring child = cross(filled(limits, random), filled(limits, random), random);
    EXPECT_EQ(broken_limit(child), "") << "seed " << seed;
  }
}

TEST(Crossover, EveryLinkOfTheChildIsALinkOfAParent) {
  Random random(1);
  const Limits limits(read_spec(plain_spec(64, 4, 9, 31)));
  const Wiring mother = filled(limits, random);
  const Wiring father = filled(limits, random);
  const Wiring child = cross(mother, father, random);
  // A link of the child that the parents do not share comes from exactly one of them.
  EXPECT_EQ(common_links(child, mother) + common_links(child, father) - common_links(mother, father),
            child.link_count());
  EXPECT_EQ(child.link_count(), 256);
}

TEST(Crossover, TheChildInheritsFromBothParents) {
  Random random(2);
  const Limits limits(read_spec(plain_spec(64, 4, 9, 31)));
  const Wiring mother = filled(limits, random);
  const Wiring father = filled(limits, random);
  const Wiring child = cross(mother, father, random);
  EXPECT_GT(common_links(child, mother), common_links(father, mother));
  EXPECT_GT(common_links(child, father), common_links(father, mother));
}

TEST(Crossover, IdenticalParentsHaveAnIdenticalChild) {
  Random random(3);
  const Limits limits(read_spec(plain_spec(12, 3, 5, 8)));
  const Wiring parent = filled(limits, random);
  EXPECT_EQ(common_links(cross(parent, parent, random), parent), parent.link_count());
}

TEST(Crossover, ParentsMayUseDifferentNumbersOfNicsAndPorts) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Random random(seed);
    const Limits limits(read_spec(plain_spec(10, 3, 4, 10)));
    Wiring sparse = filled(limits, random);
    for (int nic = 0; nic < 30; nic += 2) {
      if (sparse.group(nic) != kDummy) sparse.unplug(nic);
    }
    const Wiring child = cross(filled(limits, random), sparse, random);
    EXPECT_EQ(broken_limit(child), "");
    EXPECT_GE(child.link_count(), sparse.link_count());
  }
}

}  // namespace
}  // namespace fnn::testing
