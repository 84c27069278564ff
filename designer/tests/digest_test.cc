// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/digest.h"

#include <gtest/gtest.h>

namespace fnn {
namespace {

// printf '{"a":1,"b":"\xc3\xa4"}' | sha256sum
TEST(Digest, IsTheSha256OfTheCompactText) {
  EXPECT_EQ(digest(Json::parse("{\"b\": \"ä\", \"a\": 1}")),
            "sha256:f5300ffcfd6fd3fc2de46d700be90d43fd799cd9eb69da4737201006143d48a1");
}

}  // namespace
}  // namespace fnn
