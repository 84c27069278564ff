// SPDX-License-Identifier: GPL-3.0-or-later
// The custom mutator of libFuzzer that both targets have, around their mutations of structure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "base/random.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace fnn::fuzzing {

/// Whether the environment asks for libFuzzer's own mutations of bytes, to compare with.
inline bool mutates_bytes() {
  static const bool asked = std::getenv("FNN_FUZZ_BYTES") != nullptr;
  return asked;
}

inline std::string_view text_of_input(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Changes the input in place by `mutate`, and one in 64, or where the result is too long, by bytes. Returns its size.
template <typename Mutate>
std::size_t mutate_input(std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed, Mutate mutate) {
  if (mutates_bytes() || seed % 64 == 0) return LLVMFuzzerMutate(data, size, max_size);
  Random random(seed);
  const std::string mutated = mutate(text_of_input(data, size), random);
  if (mutated.size() > max_size) return LLVMFuzzerMutate(data, size, max_size);
  std::memcpy(data, mutated.data(), mutated.size());
  return mutated.size();
}

}  // namespace fnn::fuzzing
