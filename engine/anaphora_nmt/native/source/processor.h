// The instruction sets that the processor supports.
#pragma once

namespace anaphora {

enum Processor { ANY_PROCESSOR = 0, WITH_AVX2 = 1, WITH_AVX_VNNI = 2, WITH_AVX512_VNNI = 3, WITH_NEON_DOT = 4 };

bool processor_has(int instructions);

}  // namespace anaphora
