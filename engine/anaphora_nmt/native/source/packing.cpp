// Converts weights to 8 bits in the kernels' layout.
#include <math.h>
#include <string.h>

#include <algorithm>
#include <new>
#include <vector>

#include "stack.h"

namespace anaphora {

template <typename T>
static T* aligned(size_t count) {
  return static_cast<T*>(::operator new(count * sizeof(T), std::align_val_t(64)));
}

static void release(void* memory) { ::operator delete(memory, std::align_val_t(64)); }

Linear::~Linear() {
  release(weights);
  release(scales);
  release(biases);
  release(starts);
  delete rest;
}

// A layer whose weights are all 0.
static std::unique_ptr<Linear> empty(int out, int in) {
  auto layer = std::make_unique<Linear>();
  size_t padded_out = (size_t)(out + OUTPUTS - 1) / OUTPUTS * OUTPUTS;
  layer->out = out;
  layer->in = in;
  layer->padded_in = (in + LANES - 1) / LANES * LANES;
  layer->weights = aligned<int8_t>(padded_out * layer->padded_in);
  layer->scales = aligned<float>(padded_out);
  layer->biases = aligned<float>(padded_out);
  layer->starts = aligned<int32_t>(padded_out);
  memset(layer->weights, 0, padded_out * layer->padded_in);
  std::fill_n(layer->scales, padded_out, 0.0f);
  std::fill_n(layer->biases, padded_out, 0.0f);
  std::fill_n(layer->starts, padded_out, 0);
  return layer;
}

static Linear* pack_part(const float* weight, const float* bias, int out, int in, bool unsigned_inputs,
                         float* left) {
  auto layer = empty(out, in);
  for (int row = 0; row < out; row++) {
    const float* own = weight + (size_t)row * in;
    float largest = SMALLEST;
    for (int at = 0; at < in; at++) largest = std::max(largest, fabsf(own[at]));
    float scale = largest / LARGEST;
    layer->scales[row] = scale;
    layer->biases[row] = bias ? bias[row] : 0;
    int8_t* block = layer->weights + (size_t)(row / OUTPUTS) * OUTPUTS * layer->padded_in;
    int32_t total = 0;
    for (int at = 0; at < in; at++) {
      int rounded = (int)nearbyintf(own[at] / scale);
      block[(size_t)(at / INPUTS) * OUTPUTS * INPUTS + (row % OUTPUTS) * INPUTS + at % INPUTS] = (int8_t)rounded;
      total += rounded;
      if (left) left[(size_t)row * in + at] = own[at] - rounded * scale;
    }
    if (unsigned_inputs) layer->starts[row] = -128 * total;
  }
  return layer.release();
}

Product pack(const float* weight, const float* bias, int out, int in, bool two_parts, bool unsigned_inputs) {
  std::vector<float> left(two_parts ? (size_t)out * in : 0);
  Product packed(pack_part(weight, bias, out, in, unsigned_inputs, two_parts ? left.data() : nullptr));
  if (two_parts) packed->rest = pack_part(left.data(), nullptr, out, in, unsigned_inputs, nullptr);
  return packed;
}

static Linear* choose_part(const Linear& layer, const std::vector<int32_t>& outputs) {
  auto chosen = empty((int)outputs.size(), layer.in);
  size_t of_block = (size_t)OUTPUTS * layer.padded_in;
  for (size_t row = 0; row < outputs.size(); row++) {
    int output = outputs[row];
    chosen->scales[row] = layer.scales[output];
    chosen->biases[row] = layer.biases[output];
    chosen->starts[row] = layer.starts[output];
    const int8_t* from = layer.weights + output / OUTPUTS * of_block + output % OUTPUTS * INPUTS;
    int8_t* to = chosen->weights + row / OUTPUTS * of_block + row % OUTPUTS * INPUTS;
    for (size_t at = 0; at < of_block; at += OUTPUTS * INPUTS) memcpy(to + at, from + at, INPUTS);
  }
  if (layer.rest) chosen->rest = choose_part(*layer.rest, outputs);
  return chosen.release();
}

Product choose(const Linear& layer, const std::vector<int32_t>& outputs) {
  return Product(choose_part(layer, outputs));
}

}  // namespace anaphora
