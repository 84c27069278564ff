// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz target for the document parsers: every input is either accepted or rejected with BadInput.
//
// The same bytes are read as JSON, as a spec, as a price list and as a design. The normal form of an accepted spec must
// be its own normal form. Any other result, sanitizer finding or exception is a defect.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "alternatives/price_list.h"
#include "base/json_text.h"
#include "base/problem.h"
#include "design/check.h"
#include "design/design_reading.h"
#include "spec/spec.h"

namespace {

void read_as_spec(const fnn::Json& document) {
  try {
    const fnn::Spec spec = fnn::read_spec(document);
    if (fnn::read_spec(spec.normal).normal != spec.normal) std::abort();
  } catch (const fnn::BadInput&) {  // the expected rejection
  }
}

void read_as_prices(const fnn::Json& document) {
  try {
    fnn::read_price_list(document);
  } catch (const fnn::BadInput&) {
  }
}

void read_as_design(const fnn::Json& document) {
  try {
    const fnn::Design design = fnn::read_design(document);
    fnn::check_design(design, std::nullopt);
  } catch (const fnn::BadInput&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const fnn::Json document = fnn::parse_json(std::string(reinterpret_cast<const char*>(data), size), "fuzz");
    read_as_spec(document);
    read_as_prices(document);
    read_as_design(document);
  } catch (const fnn::BadInput&) {
  }
  return 0;
}
