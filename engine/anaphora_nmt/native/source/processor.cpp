// Detects the processor's instructions, and whether the operating system saves the wide registers.
#include "processor.h"

#include <stdint.h>

#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#endif

namespace anaphora {

#if defined(__x86_64__)

static uint64_t kept_registers() {
  uint32_t low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return ((uint64_t)high << 32) | low;
}

bool processor_has(int instructions) {
  if (instructions == ANY_PROCESSOR) return true;
  uint32_t a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d)) return false;
  const uint32_t fma = 1u << 12, keeps = 1u << 27, avx = 1u << 28, f16c = 1u << 29;
  const uint32_t wanted = fma | keeps | avx | f16c;
  if ((c & wanted) != wanted || (kept_registers() & 6) != 6) return false;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || !(b & (1u << 5))) return false;
  if (instructions == WITH_AVX2) return true;
  if (instructions == WITH_AVX_VNNI) return __get_cpuid_count(7, 1, &a, &b, &c, &d) && (a & (1u << 4));
  if (instructions != WITH_AVX512_VNNI) return false;
  const uint32_t parts = (1u << 16) | (1u << 17) | (1u << 30) | (1u << 31);  // F, DQ, BW, VL
  return (b & parts) == parts && (c & (1u << 11)) && (kept_registers() & 0xe6) == 0xe6;
}

#elif defined(__aarch64__)

bool processor_has(int instructions) {
  if (instructions == ANY_PROCESSOR) return true;
  if (instructions != WITH_NEON_DOT) return false;
#if defined(__APPLE__)
  return true;  // all of Apple's ARM processors since the first
#elif defined(__linux__)
  return getauxval(AT_HWCAP) & (1u << 20);  // ASIMDDP
#else
  return false;
#endif
}

#else

bool processor_has(int instructions) { return instructions == ANY_PROCESSOR; }

#endif

}  // namespace anaphora
