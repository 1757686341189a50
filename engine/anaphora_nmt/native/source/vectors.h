// Vectors of floats as wide as a register of the instruction set, because GCC does not vectorise wider ones.
#pragma once

#include <stdint.h>

#if defined(__AVX2__)
#include <immintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

#define INLINE static inline __attribute__((always_inline))

namespace {

#if defined(__AVX512F__)
constexpr int WIDTH = 16;
#elif defined(__AVX2__)
constexpr int WIDTH = 8;
#else
constexpr int WIDTH = 4;
#endif

typedef float floats __attribute__((vector_size(4 * WIDTH)));
typedef int32_t ints __attribute__((vector_size(4 * WIDTH)));
typedef float loose_floats __attribute__((vector_size(4 * WIDTH), aligned(4), may_alias));
typedef int32_t loose_ints __attribute__((vector_size(4 * WIDTH), aligned(4), may_alias));

INLINE floats load(const float* from) { return *(const loose_floats*)from; }
INLINE void store(float* to, floats values) { *(loose_floats*)to = values; }
INLINE floats all(float value) { return floats{} + value; }
INLINE floats larger(floats one, floats other) { return one > other ? one : other; }
INLINE floats smaller(floats one, floats other) { return one < other ? one : other; }
INLINE floats absolute(floats values) { return (floats)((ints)values & 0x7fffffff); }
// Rounds to the nearest integer, and halves to even integers; for numbers below 2^22.
INLINE floats nearest(floats values) {
  const float shift = 12582912.0f;  // 1.5 * 2^23: adding it removes the fraction
  return (values + shift) - shift;
}
INLINE ints whole(floats values) { return __builtin_convertvector(values, ints); }
INLINE floats floating(ints values) { return __builtin_convertvector(values, floats); }

INLINE float sum(floats values) {
#if defined(__AVX512F__)
  return _mm512_reduce_add_ps((__m512)values);
#elif defined(__AVX2__)
  __m128 four = _mm_add_ps(_mm256_castps256_ps128((__m256)values), _mm256_extractf128_ps((__m256)values, 1));
  __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_add_ss(two, _mm_shuffle_ps(two, two, 1)));
#else
  return (values[0] + values[2]) + (values[1] + values[3]);
#endif
}

INLINE float largest_of(floats values) {
#if defined(__AVX512F__)
  return _mm512_reduce_max_ps((__m512)values);
#else
  float most = values[0];
  for (int at = 1; at < WIDTH; at++) most = most > values[at] ? most : values[at];
  return most;
#endif
}

// e^x, relative error below 2e-7 (Cephes' polynomial); 0 below the smallest normal number.
INLINE floats exponential(floats values) {
  const floats lowest = all(-87.33f);
  floats x = smaller(larger(values, lowest), all(88.0f));
  floats n = nearest(x * 1.44269504f);
  floats r = x - n * 0.693359375f + n * 2.12194440e-4f;
  floats p = all(1.9875691500e-4f);
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = p * (r * r) + r + 1.0f;
  floats power = (floats)((whole(n) + 127) << 23);
  return values < lowest ? floats{} : p * power;
}

// The numbers 0 to WIDTH - 1, for masks at the end of a row.
INLINE ints counting() {
  static const int32_t numbers[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  return *(const loose_ints*)numbers;
}

INLINE float one_exponential(float value) { return exponential(all(value))[0]; }

}  // namespace
