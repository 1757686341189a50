#include "trace.h"

#include <string.h>

#include <algorithm>

namespace anaphora {

void Trace::make_room(size_t steps) {
  constexpr size_t first = 64;
  if (stack.shape.recurrent || nodes.size() + steps <= capacity) return;
  size_t larger = std::max(first, 2 * (nodes.size() + steps)), width = 2 * (size_t)stack.shape.width;
  std::vector<float> grown(stack.shape.layers * larger * width);
  for (int layer = 0; layer < stack.shape.layers && !nodes.empty(); layer++)
    memcpy(&grown[layer * larger * width], &cache[layer * capacity * width], nodes.size() * width * sizeof(float));
  cache.swap(grown);
  capacity = larger;
}

void Trace::clear() {
  nodes.clear();
  places_.clear();
}

size_t Trace::of_step() const {
  size_t width = stack.shape.width, pieces = stack.shape.pieces <= MOST_PIECES ? stack.shape.pieces : 0;
  return stack.shape.layers * 4 * width + 2 * width + words + pieces;  // a cache may be half empty
}

}  // namespace anaphora
