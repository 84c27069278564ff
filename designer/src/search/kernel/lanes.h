// SPDX-License-Identifier: GPL-3.0-or-later
// SIMD lanes: several words of a row at once, as wide as the instruction set of this kernel allows.
#pragma once

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "search/kernel/kernel_state.h"

namespace fnn::FNN_KERNEL {

FNN_HOT int count_ones(uint64_t word) {
#if defined(__POPCNT__) || !defined(__x86_64__)
  return __builtin_popcountll(word);
#else
  // Without the POPCNT instruction the builtin calls a function that looks up every byte.
  word -= (word >> 1U) & 0x5555555555555555U;
  word = (word & 0x3333333333333333U) + ((word >> 2U) & 0x3333333333333333U);
  word = (word + (word >> 4U)) & 0x0F0F0F0F0F0F0F0FU;
  return static_cast<int>((word * 0x0101010101010101U) >> 56U);
#endif
}

/// `kWords` words with set operations.
template <int kWords>
struct Lanes {
  uint64_t word[kWords];

  static FNN_HOT Lanes load(const uint64_t* from) {
    Lanes lanes;
    for (int w = 0; w < kWords; ++w) lanes.word[w] = from[w];
    return lanes;
  }
  FNN_HOT Lanes operator|(const Lanes& other) const {
    Lanes lanes;
    for (int w = 0; w < kWords; ++w) lanes.word[w] = word[w] | other.word[w];
    return lanes;
  }
  FNN_HOT Lanes operator&(const Lanes& other) const {
    Lanes lanes;
    for (int w = 0; w < kWords; ++w) lanes.word[w] = word[w] & other.word[w];
    return lanes;
  }
  FNN_HOT Lanes without(const Lanes& other) const {
    Lanes lanes;
    for (int w = 0; w < kWords; ++w) lanes.word[w] = word[w] & ~other.word[w];
    return lanes;
  }
};

/// Sums the differences in size of two sets.
template <int kWords>
struct Tally {
  int sum = 0;
  FNN_HOT void add(const Lanes<kWords>& more, const Lanes<kWords>& fewer) {
    for (int w = 0; w < kWords; ++w) sum += count_ones(more.word[w]) - count_ones(fewer.word[w]);
  }
  FNN_HOT int total() const { return sum; }
};

#if defined(__AVX512VPOPCNTDQ__)

inline constexpr int kWidest = 8;

template <>
struct Lanes<8> {
  __m512i all;

  static FNN_HOT Lanes load(const uint64_t* from) { return {_mm512_loadu_si512(from)}; }
  FNN_HOT Lanes operator|(const Lanes& other) const { return {all | other.all}; }
  FNN_HOT Lanes operator&(const Lanes& other) const { return {all & other.all}; }
  FNN_HOT Lanes without(const Lanes& other) const { return {all & ~other.all}; }
};

template <>
struct Tally<8> {
  __m512i sums = _mm512_setzero_si512();
  FNN_HOT void add(const Lanes<8>& more, const Lanes<8>& fewer) {
    sums = sums + _mm512_popcnt_epi64(more.all) - _mm512_popcnt_epi64(fewer.all);
  }
  FNN_HOT int total() const {
    alignas(64) uint64_t sum[8];
    _mm512_store_si512(sum, sums);
    return static_cast<int>(sum[0] + sum[1] + sum[2] + sum[3] + sum[4] + sum[5] + sum[6] + sum[7]);
  }
};

#elif defined(__AVX2__)

inline constexpr int kWidest = 4;

template <>
struct Lanes<4> {
  __m256i all;

  static FNN_HOT Lanes load(const uint64_t* from) {
    return {_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from))};
  }
  FNN_HOT Lanes operator|(const Lanes& other) const { return {all | other.all}; }
  FNN_HOT Lanes operator&(const Lanes& other) const { return {all & other.all}; }
  FNN_HOT Lanes without(const Lanes& other) const { return {all & ~other.all}; }
};

/// Counts bits by looking up both halves of every byte (Mula's method).
template <>
struct Tally<4> {
  __m256i sums = _mm256_setzero_si256();

  static FNN_HOT __m256i per_byte(__m256i bits) {
    const __m256i ones = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,  //
                                          0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m256i low = _mm256_set1_epi8(0x0F);
    return _mm256_add_epi8(_mm256_shuffle_epi8(ones, _mm256_and_si256(bits, low)),
                           _mm256_shuffle_epi8(ones, _mm256_and_si256(_mm256_srli_epi16(bits, 4), low)));
  }
  FNN_HOT void add(const Lanes<4>& more, const Lanes<4>& fewer) {
    // From 0 to 16 in every byte; 8 means no difference.
    const __m256i difference =
        _mm256_add_epi8(_mm256_sub_epi8(per_byte(more.all), per_byte(fewer.all)), _mm256_set1_epi8(8));
    sums = _mm256_add_epi64(sums, _mm256_sub_epi64(_mm256_sad_epu8(difference, _mm256_setzero_si256()),
                                                   _mm256_set1_epi64x(64)));
  }
  FNN_HOT int total() const {
    alignas(32) uint64_t sum[4];
    _mm256_store_si256(reinterpret_cast<__m256i*>(sum), sums);
    return static_cast<int>(sum[0] + sum[1] + sum[2] + sum[3]);
  }
};

#else

inline constexpr int kWidest = 4;

#endif

}  // namespace fnn::FNN_KERNEL
