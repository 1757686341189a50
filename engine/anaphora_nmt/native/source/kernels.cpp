// Compiled once for each instruction set; KERNELS is the name of its table, and PROCESSOR its number.
//
// This file must not use templates or inline functions of the standard library. The linker would keep one copy of them
// for all instruction sets, perhaps one that this processor cannot run.
#include "kernels.h"

#include <string.h>

#include "processor.h"
#include "products.h"
#include "vectors.h"

namespace {

using namespace anaphora;

constexpr float NEVER = -1e30f;

// ---- products

void quantise(const float* rows, int count, int width, int padded, int8_t* numbers, float* scales) {
  const int8_t flip = UNSIGNED_INPUTS ? -128 : 0;
  for (int row = 0; row < count; row++) {
    const float* own = rows + (size_t)row * width;
    int8_t* first = numbers + (size_t)row * 2 * padded;
    floats most = floats{};
    int at = 0;
    for (; at + WIDTH <= width; at += WIDTH) most = larger(most, absolute(load(own + at)));
    float largest = largest_of(most);
    for (; at < width; at++) largest = __builtin_fmaxf(largest, __builtin_fabsf(own[at]));
    float scale = __builtin_fmaxf(largest, SMALLEST) / LARGEST;
    scales[row] = scale;
    for (at = 0; at < padded; at += WIDTH) {
      floats values;
      if (at + WIDTH <= width) {
        values = load(own + at);
      } else {
        float last[WIDTH] = {};
        for (int left = at; left < width; left++) last[left - at] = own[left];
        values = load(last);
      }
      floats exact = values / scale;
      floats rounded = nearest(exact), finer = nearest((exact - rounded) * FINER);
      typedef int8_t bytes __attribute__((vector_size(WIDTH)));
      bytes one = __builtin_convertvector(whole(rounded), bytes) ^ flip;
      bytes two = __builtin_convertvector(whole(finer), bytes) ^ flip;
      memcpy(first + at, &one, WIDTH);
      memcpy(first + padded + at, &two, WIDTH);
    }
  }
}

// Multiplies `height` rows of 8-bit numbers with one block of outputs; `depth` of the rows belong to one row of floats.
template <int height, int depth>
INLINE void multiply_block(const Linear& layer, const int8_t* numbers, size_t stride, const float* scales, int first,
                           float* out, size_t out_stride, bool adds) {
  part sums[height][SPAN * PARTS];
  for (int row = 0; row < height; row++)
    for (int each = 0; each < SPAN * PARTS; each++)
      sums[row][each] = begin(layer.starts + first + each * (LANES / PARTS));
  const int8_t* weights = layer.weights + (size_t)(first / OUTPUTS) * OUTPUTS * layer.padded_in + (first % OUTPUTS) * INPUTS;
  for (int at = 0; at < layer.padded_in; at += INPUTS, weights += OUTPUTS * INPUTS) {
    decltype(weights_at(weights)) loaded[SPAN * PARTS];
    for (int each = 0; each < SPAN * PARTS; each++) loaded[each] = weights_at(weights + each * BYTES);
    for (int row = 0; row < height; row++) {
      number inputs = four(numbers + row * stride + at);
      for (int each = 0; each < SPAN * PARTS; each++) sums[row][each] = add(sums[row][each], loaded[each], inputs);
    }
  }
  for (int from = 0; from < SPAN * LANES; from += WIDTH) {
    int output = first + from, left = layer.out - output;
    if (left <= 0) break;
    floats weight_scales = load(layer.scales + output), bias = load(layer.biases + output);
    for (int row = 0; row < height / depth; row++) {
      floats product = as_floats(sums[row * depth][from / WIDTH]);
      if (depth == 2) product += as_floats(sums[row * depth + 1][from / WIDTH]) * (1 / FINER);
      floats found = product * weight_scales * scales[row] + bias;
      float* to = out + row * out_stride + output;
      if (left >= WIDTH) {
        store(to, adds ? load(to) + found : found);
      } else {
        for (int each = 0; each < left; each++) to[each] = adds ? to[each] + found[each] : found[each];
      }
    }
  }
}

template <int depth>
void multiply_depth(const Linear& layer, const Quantised& given, float* out, size_t out_stride, bool adds) {
  constexpr int most = HEIGHT / 2;
  // With a depth of 1, the second part of each row is skipped.
  size_t stride = depth == 2 ? layer.padded_in : (size_t)given.parts * layer.padded_in;
  for (int first = 0; first < layer.out; first += LANES * SPAN) {
    int row = 0;
    for (; row < given.rows;) {
      const int8_t* numbers = given.numbers + (size_t)row * given.parts * layer.padded_in;
      const float* scales = given.scales + row;
      float* to = out + row * out_stride;
      int height = given.rows - row < most ? given.rows - row : most;
      switch (height) {
#define BLOCK(rows)                                                                                    \
  case rows:                                                                                           \
    if constexpr (rows <= most)                                                                        \
      multiply_block<rows * depth, depth>(layer, numbers, stride, scales, first, to, out_stride, adds); \
    break;
        BLOCK(1) BLOCK(2) BLOCK(3) BLOCK(4) BLOCK(5)
#undef BLOCK
      }
      row += height;
    }
  }
}

void multiply(const Linear& layer, const Quantised& given, float* out, size_t stride, bool adds) {
  multiply_depth<2>(layer, given, out, stride, adds);
  if (layer.rest) multiply_depth<1>(*layer.rest, given, out, stride, true);
}

// ---- functions of single numbers, and of rows

// The error function (Abramowitz and Stegun, 7.1.26) with an error below 1.5e-7.
INLINE floats error_function(floats x) {
  floats size = absolute(x), t = 1.0f / (size * 0.3275911f + 1.0f);
  floats p = t * 1.061405429f - 1.453152027f;
  p = p * t + 1.421413741f;
  p = p * t - 0.284496736f;
  p = p * t + 0.254829592f;
  floats found = 1.0f - p * t * exponential(-size * size);
  return x < floats{} ? -found : found;
}

INLINE floats sigmoid(floats x) { return 1.0f / (1.0f + exponential(-x)); }

INLINE floats activated(Activation kind, floats x) {
  switch (kind) {
    case GELU: return x * 0.5f * (1.0f + error_function(x * 0.70710678f));
    case RELU: return larger(x, floats{});
    case SWISH: return x * sigmoid(x);
    case GELU_TANH: return x * sigmoid(1.5957691216f * (x + 0.044715f * x * x * x));
    default: return x * sigmoid(1.702f * x);
  }
}

void activate(Activation kind, float* values, size_t count) {
  size_t at = 0;
  for (; at + WIDTH <= count; at += WIDTH) store(values + at, activated(kind, load(values + at)));
  for (; at < count; at++) values[at] = activated(kind, all(values[at]))[0];
}

void normalise(const float* rows, const float* gain, const float* bias, float epsilon, int count, int width,
               float* out) {
  for (int row = 0; row < count; row++, rows += width, out += width) {
    floats total = floats{}, squares = floats{};
    for (int at = 0; at < width; at += WIDTH) total += load(rows + at);
    float mean = sum(total) / width;
    for (int at = 0; at < width; at += WIDTH) {
      floats away = load(rows + at) - mean;
      squares += away * away;
    }
    float scale = 1 / __builtin_sqrtf(sum(squares) / width + epsilon);
    for (int at = 0; at < width; at += WIDTH)
      store(out + at, (load(rows + at) - mean) * scale * load(gain + at) + load(bias + at));
  }
}

// Returns the sum of e^(x - largest), and sets `largest`.
INLINE float exponentials(const float* row, int count, float* largest) {
  floats most = all(NEVER), total = floats{};
  int whole_end = count / WIDTH * WIDTH;
  for (int at = 0; at < whole_end; at += WIDTH) most = larger(most, load(row + at));
  float top = largest_of(most), found = 0;
  for (int at = whole_end; at < count; at++) top = __builtin_fmaxf(top, row[at]);
  for (int at = 0; at < whole_end; at += WIDTH) total += exponential(load(row + at) - top);
  for (int at = whole_end; at < count; at++) found += one_exponential(row[at] - top);
  *largest = top;
  return found + sum(total);
}

void log_softmax(float* row, int count) {
  float largest, total = exponentials(row, count, &largest);
  float shift = largest + __builtin_logf(total);
  int at = 0;
  for (; at + WIDTH <= count; at += WIDTH) store(row + at, load(row + at) - shift);
  for (; at < count; at++) row[at] -= shift;
}

// ---- attention

// Turns `padded` scores into weights in place; the scores of padding are far below the others.
INLINE void softmax(float* scores, int padded) {
  floats most = all(NEVER), total = floats{};
  for (int at = 0; at < padded; at += WIDTH) most = larger(most, load(scores + at));
  float top = largest_of(most);
  for (int at = 0; at < padded; at += WIDTH) {
    floats each = exponential(load(scores + at) - top);
    store(scores + at, each);
    total += each;
  }
  float scale = 1 / sum(total);
  for (int at = 0; at < padded; at += WIDTH) store(scores + at, load(scores + at) * scale);
}

INLINE void show(const Attended& given, const float* scores, float* weights, int query, int head) {
  float* shown = given.shown + (size_t)query * given.tokens;
  if (!given.shows_mean) {
    if (head) return;
    float largest, total = exponentials(scores, given.tokens, &largest);
    float shift = largest + __builtin_logf(total);
    for (int token = 0; token < given.tokens; token++)
      shown[token] = given.bias && given.bias[token] < 0 ? -__builtin_inff() : scores[token] - shift;
    return;
  }
  memcpy(weights, scores, given.padded * sizeof(float));
  softmax(weights, given.padded);
  bool last = head == given.heads - 1;
  for (int token = 0; token < given.tokens; token++) {
    float before = head ? shown[token] : 0, share = before + weights[token];
    shown[token] = !last ? share : share > 0 ? __builtin_logf(share / given.heads) : -__builtin_inff();
  }
}

// Scores of one head for `height` queries from number `first` on, [height][padded].
template <int height>
INLINE void score(const Attended& given, int first, int head, int used, float* scores) {
  constexpr int vectors = LANES / WIDTH;
  float scale = 1 / __builtin_sqrtf((float)given.size);
  const float* queries = given.queries + (size_t)first * given.query_stride + (size_t)head * given.size;
  const float* keys = given.keys + (size_t)head * given.size * given.padded;
  for (int begin = 0; begin < used; begin += LANES) {
    floats sums[height][vectors];
    for (int row = 0; row < height; row++)
      for (int each = 0; each < vectors; each++) sums[row][each] = floats{};
    for (int place = 0; place < given.size; place++) {
      const float* own = keys + (size_t)place * given.padded + begin;
      floats some[vectors];
      for (int each = 0; each < vectors; each++) some[each] = load(own + each * WIDTH);
      for (int row = 0; row < height; row++) {
        float query = queries[row * given.query_stride + place];
        for (int each = 0; each < vectors; each++) sums[row][each] += query * some[each];
      }
    }
    for (int row = 0; row < height; row++) {
      int tokens = given.causal ? first + row + 1 : given.tokens;
      for (int each = 0; each < vectors; each++) {
        int at = begin + each * WIDTH;
        floats found = sums[row][each] * scale;
        if (given.bias) found += load(given.bias + at);
        if (tokens < at + WIDTH) found = counting() + at < tokens ? found : all(NEVER);
        store(scores + (size_t)row * given.padded + at, found);
      }
    }
  }
}

template <int height>
INLINE void mix(const Attended& given, int first, int head, int used, const float* scores) {
  const float* values = given.values + (size_t)head * given.size;
  float* out = given.out + (size_t)first * given.out_stride + (size_t)head * given.size;
  for (int at = 0; at < given.size; at += 2 * WIDTH) {
    bool two = at + WIDTH < given.size;
    floats one[height], other[height];
    for (int row = 0; row < height; row++) one[row] = other[row] = floats{};
    for (int token = 0; token < used; token++) {
      const float* own = values + token * given.value_stride + at;
      floats here = load(own), there = two ? load(own + WIDTH) : floats{};
      for (int row = 0; row < height; row++) {
        float weight = scores[(size_t)row * given.padded + token];
        one[row] += weight * here;
        other[row] += weight * there;
      }
    }
    for (int row = 0; row < height; row++) {
      store(out + row * given.out_stride + at, one[row]);
      if (two) store(out + row * given.out_stride + at + WIDTH, other[row]);
    }
  }
}

template <int height>
INLINE void attend_some(const Attended& given, int first, float* scores, float* weights) {
  int tokens = given.causal ? first + height : given.tokens;
  int used = (tokens + LANES - 1) / LANES * LANES;
  for (int head = 0; head < given.heads; head++) {
    score<height>(given, first, head, used, scores);
    for (int row = 0; row < height; row++) {
      float* own = scores + (size_t)row * given.padded;
      if (given.shown) show(given, own, weights, first + row, head);
      softmax(own, used);
    }
    mix<height>(given, first, head, tokens, scores);
  }
}

void attend(const Attended& given) {
  float *scores = given.scratch, *weights = given.scratch + (size_t)5 * given.padded;
  int query = 0;
  for (; query + 5 <= given.count; query += 5) attend_some<5>(given, query, scores, weights);
  switch (given.count - query) {
    case 1: attend_some<1>(given, query, scores, weights); break;
    case 2: attend_some<2>(given, query, scores, weights); break;
    case 3: attend_some<3>(given, query, scores, weights); break;
    case 4: attend_some<4>(given, query, scores, weights); break;
  }
}

void attend_scattered(const Scattered& given) {
  size_t width = (size_t)given.heads * given.size;
  int padded = (given.tokens + LANES - 1) / LANES * LANES;
  float scale = 1 / __builtin_sqrtf((float)given.size);
  for (int token = 0; token < given.tokens; token++) {
    const float* keys = given.cache + given.entries[token] * 2 * width;
    for (int head = 0; head < given.heads; head++) {
      floats total = floats{};
      for (size_t at = (size_t)head * given.size, end = at + given.size; at < end; at += WIDTH)
        total += load(given.query + at) * load(keys + at);
      given.scratch[(size_t)head * padded + token] = sum(total) * scale;
    }
  }
  for (int head = 0; head < given.heads; head++) {
    float* scores = given.scratch + (size_t)head * padded;
    for (int token = given.tokens; token < padded; token++) scores[token] = NEVER;
    softmax(scores, padded);
    for (int at = 0; at < given.size; at += WIDTH) {
      size_t place = (size_t)head * given.size + at;
      floats total = floats{};
      for (int token = 0; token < given.tokens; token++)
        total += scores[token] * load(given.cache + given.entries[token] * 2 * width + width + place);
      store(given.out + place, total);
    }
  }
}

#include "reading.h"
#include "scoring.h"

bool runs() { return processor_has(PROCESSOR); }

}  // namespace

namespace anaphora {

#define TEXT_OF(name) #name
#define TEXT(name) TEXT_OF(name)
extern const Kernels KERNELS;
const Kernels KERNELS = {TEXT(KERNELS), runs,   UNSIGNED_INPUTS,  quantise,    multiply, activate,
                         normalise,     attend, attend_scattered, log_softmax, largest,  read,     blend,
                         dense,         score};

}  // namespace anaphora
