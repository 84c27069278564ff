// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/digest.h"

#include <openssl/evp.h>

#include <array>
#include <stdexcept>

namespace fnn {

std::string digest(const Json& document) {
  static constexpr std::string_view kHex = "0123456789abcdef";
  const std::string text = compact(document);
  std::array<unsigned char, EVP_MAX_MD_SIZE> hash{};
  unsigned length = 0;
  if (EVP_Digest(text.data(), text.size(), hash.data(), &length, EVP_sha256(), nullptr) != 1) {
    throw std::runtime_error("OpenSSL offers no SHA-256");
  }
  std::string out = "sha256:";
  for (unsigned i = 0; i < length; ++i) {
    out += kHex[hash[i] >> 4U];
    out += kHex[hash[i] & 15U];
  }
  return out;
}

}  // namespace fnn
