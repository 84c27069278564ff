// SPDX-License-Identifier: GPL-3.0-or-later
#include "design/check_frame.h"

#include <algorithm>

#include "base/digest.h"

namespace fnn {
namespace {

using std::size_t;

void check_spec(const Json& document, const Json& spec, Problems& problems) {
  if (document["spec"] != spec) problems.add("/spec", "is not in normal form (see fnn-designer spec)");
  const std::string expected = digest(document["spec"]);
  const std::string stated = document["spec_digest"];
  if (stated != expected) {
    problems.add("/spec_digest", stated + " does not match the spec inside (expected " + expected + ")");
  }
  if (document["cluster"] != spec["cluster"]) {
    problems.add("/cluster", shown(document["cluster"]) + ", but the spec has " + shown(spec["cluster"]));
  }
}

/// Each list of the design must equal that of the spec, in the same order.
void check_list(const std::string& at, const Json& listed, const Json& expected, const std::string& noun,
                Problems& problems) {
  if (listed.size() != expected.size()) {
    problems.add(at, counted(static_cast<long long>(listed.size()), noun) + ", but the spec has " +
                         std::to_string(expected.size()));
  }
  for (size_t i = 0; i < std::min(listed.size(), expected.size()); ++i) {
    if (listed[i]["name"] != expected[i]["name"]) {
      problems.add(child(child(at, i), "name"),
                   shown(listed[i]["name"]) + ", but the spec has " + shown(expected[i]["name"]) + " here");
    }
  }
}

}  // namespace

void check_frame(const Json& document, const Json& spec, Problems& problems) {
  check_spec(document, spec, problems);
  check_list("/nodes", document["nodes"], spec["nodes"], "node", problems);
  check_list("/switches", document["switches"], spec["switches"], "switch", problems);
}

}  // namespace fnn
