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

void Trace::keep(int node, const float* log_probs, size_t pieces) {
  if (distributed_ + pieces > most_ / 2 || floats(0) + pieces > most_) return;
  nodes[node].log_probs.assign(log_probs, log_probs + pieces);
  distributed_ += pieces;
}

size_t Trace::floats(size_t steps) const {
  size_t width = stack.shape.width, of_layer = stack.shape.recurrent ? width : 4 * width;  // a cache may be half empty
  return (nodes.size() + steps) * (stack.shape.layers * of_layer + 2 * width + tokens) + distributed_;
}

}  // namespace anaphora
