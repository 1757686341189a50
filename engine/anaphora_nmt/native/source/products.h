// Products of 8-bit numbers, with separate code for each instruction set.
//
// Each defines `part`, WIDTH sums of 32 bits; `begin`, `weights_at`, `four` and `add`; HEIGHT, the number of rows whose
// sums fit in registers; SPAN, the number of groups of 16 outputs that are computed together.
#pragma once

#include <string.h>

#include "vectors.h"

namespace {

#if defined(__AVX512VNNI__)

typedef __m512i part;
constexpr int HEIGHT = 10, SPAN = 2;
constexpr bool UNSIGNED_INPUTS = true;
typedef __m512i number;
INLINE part begin(const int32_t* sums) { return _mm512_loadu_si512(sums); }
INLINE part weights_at(const int8_t* from) { return _mm512_load_si512(from); }
INLINE number four(const int8_t* from) {
  int32_t bits;
  memcpy(&bits, from, 4);
  return _mm512_set1_epi32(bits);
}
INLINE part add(part sums, part weights, number inputs) {
  // Inline assembly, because GCC would move the sums of the intrinsic to other registers and back.
  __asm__("vpdpbusd %2, %1, %0" : "+v"(sums) : "v"(inputs), "v"(weights));
  return sums;
}

#elif defined(__AVXVNNI__)

typedef __m256i part;
constexpr int HEIGHT = 4, SPAN = 1;
constexpr bool UNSIGNED_INPUTS = true;
typedef __m256i number;
INLINE part begin(const int32_t* sums) { return _mm256_loadu_si256((const __m256i*)sums); }
INLINE part weights_at(const int8_t* from) { return _mm256_load_si256((const __m256i*)from); }
INLINE number four(const int8_t* from) {
  int32_t bits;
  memcpy(&bits, from, 4);
  return _mm256_set1_epi32(bits);
}
INLINE part add(part sums, part weights, number inputs) {
  __asm__("%{vex%} vpdpbusd %2, %1, %0" : "+x"(sums) : "x"(inputs), "x"(weights));
  return sums;
}

#elif defined(__AVX2__)

// Pairs of products are summed in 16 bits, which |x| times w never overflow: 2 * 127 * 127 < 2^15.
typedef __m256i part;
constexpr int HEIGHT = 4, SPAN = 1;
constexpr bool UNSIGNED_INPUTS = false;
typedef __m256i number;
INLINE part begin(const int32_t* sums) { return _mm256_loadu_si256((const __m256i*)sums); }
INLINE part weights_at(const int8_t* from) { return _mm256_load_si256((const __m256i*)from); }
INLINE number four(const int8_t* from) {
  int32_t bits;
  memcpy(&bits, from, 4);
  return _mm256_set1_epi32(bits);
}
INLINE part add(part sums, part weights, number inputs) {
  __m256i pairs = _mm256_maddubs_epi16(_mm256_sign_epi8(inputs, inputs), _mm256_sign_epi8(weights, inputs));
  // Inline assembly for the same reason as with AVX-512.
  __asm__("vpaddd %1, %0, %0" : "+x"(sums) : "x"(_mm256_madd_epi16(pairs, _mm256_set1_epi16(1))));
  return sums;
}

#elif defined(__ARM_FEATURE_DOTPROD)

typedef int32x4_t part;
typedef int8x16_t number;
constexpr int HEIGHT = 4, SPAN = 1;
constexpr bool UNSIGNED_INPUTS = false;
INLINE part begin(const int32_t* sums) { return vld1q_s32(sums); }
INLINE int8x16_t weights_at(const int8_t* from) { return vld1q_s8(from); }
INLINE number four(const int8_t* from) {
  int32_t bits;
  memcpy(&bits, from, 4);
  return vreinterpretq_s8_s32(vdupq_n_s32(bits));
}
INLINE part add(part sums, int8x16_t weights, number inputs) { return vdotq_s32(sums, weights, inputs); }

#else

// Plain C, which the compiler vectorises as far as it can.
typedef ints part;
constexpr int HEIGHT = 2, SPAN = 1;
constexpr bool UNSIGNED_INPUTS = false;
struct number {
  int16_t of[4];
};
typedef const int8_t* plain_weights;
INLINE part begin(const int32_t* sums) {
  part values;
  memcpy(&values, sums, sizeof(values));
  return values;
}
INLINE plain_weights weights_at(const int8_t* from) { return from; }
INLINE number four(const int8_t* from) { return number{{from[0], from[1], from[2], from[3]}}; }
INLINE part add(part sums, plain_weights weights, number inputs) {
  for (int out = 0; out < WIDTH; out++) {
    const int8_t* own = weights + 4 * out;
    sums[out] += own[0] * inputs.of[0] + own[1] * inputs.of[1] + own[2] * inputs.of[2] + own[3] * inputs.of[3];
  }
  return sums;
}

#endif

constexpr int PARTS = 16 / WIDTH;  // number of parts for 16 outputs
constexpr int BYTES = 4 * WIDTH;   // bytes of weights for one part

INLINE floats as_floats(part sums) { return floating((ints)sums); }

}  // namespace
