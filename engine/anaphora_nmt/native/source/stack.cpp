#include "stack.h"

#include <math.h>
#include <string.h>

#include <algorithm>

namespace anaphora {

void CancellationCheck::ask() {
  constexpr double seconds = 0.008;
  if (!cancelled_) return;
  double time = now();
  if (time - asked_ < seconds) return;
  if (cancelled_()) throw Cancelled();
  asked_ = now();
}

double CancellationCheck::now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Memory that a thread's calls share, so that calls rarely allocate memory.
class Space {
 public:
  float* take(size_t floats) {
    if (held_.size() < floats) held_.resize(floats);
    return held_.data();
  }

 private:
  std::vector<float> held_;
};

// Buffers of one layer's computations: states [rows][D], a sublayer's input, queries (keys, values), mixtures, and the
// inner states of the feed-forward network.
struct Stack::Buffers {
  float *states, *entered, *queries, *mixed, *inner, *scratch;

  Buffers(const Shape& shape, int rows, int tokens) {
    static thread_local Space space;
    size_t width = shape.width, count = rows;
    size_t longest = std::max(tokens, rows) + 2 * LANES;
    size_t scratch_floats = longest * (8 + width) + longest * shape.heads;
    float* at = space.take(count * (6 * width + shape.feed_forward) + scratch_floats);
    states = at;
    entered = states + count * width;
    queries = entered + count * width;
    mixed = queries + 3 * count * width;
    inner = mixed + count * width;
    scratch = inner + count * shape.feed_forward;
  }
};

Stack::Stack(const Shape& given, const Kernels& table) : shape(given), kernels(table), layers(given.layers) {}

void Stack::product_shape(int place, int* out, int* in) const {
  int width = shape.width;
  *in = width;
  *out = width;
  switch (place) {
    case OWN_IN: *out = (shape.recurrent ? 2 : 3) * width; break;
    case SOURCE_KEY_VALUE: *out = 2 * width; *in = shape.source_width; break;
    case UP: *out = shape.feed_forward; break;
    case DOWN: *in = shape.feed_forward; break;
  }
}

bool Stack::complete() const {
  bool decodes = shape.source_width > 0;
  for (const Layer& layer : layers) {
    for (int place = 0; place < PRODUCTS; place++) {
      bool of_source = place == SOURCE_QUERY || place == SOURCE_KEY_VALUE || place == SOURCE_OUT;
      bool wanted = !(of_source && !decodes) && !(place == OWN_OUT && shape.recurrent);
      if (wanted && !layer.products[place]) return false;
    }
    for (int place = 0; place < NORMS; place++)
      if ((place != SOURCE_NORM || decodes) && layer.norms[place].gain.empty()) return false;
  }
  if (decodes && (!output || !embeddings || !positions)) return false;
  return !decodes || !shape.norm_before || !norm.gain.empty();
}

size_t Stack::source_floats(int count) const {
  return (size_t)shape.layers * shape.width * (padded(count) + count);
}

void Stack::linear(const Linear& layer, const float* rows, int count, float* out, size_t stride, bool adds,
                   CancellationCheck& check) const {
  // Maximum work between two checks for cancellation, but at least so many rows that reading the weights pays off.
  constexpr size_t products = 1 << 26;
  constexpr int least = 40;
  static thread_local std::vector<int8_t> numbers;
  static thread_local std::vector<float> scales;
  int most = std::max(least, (int)(products / ((size_t)layer.out * layer.padded_in)));
  most = std::min(most, count);
  numbers.resize(std::max(numbers.size(), (size_t)most * 2 * layer.padded_in));
  scales.resize(std::max(scales.size(), (size_t)most));
  for (int row = 0; row < count; row += most) {
    int some = std::min(most, count - row);
    kernels.quantise(rows + (size_t)row * layer.in, some, layer.in, layer.padded_in, numbers.data(), scales.data());
    kernels.multiply(layer, Quantised{numbers.data(), scales.data(), some, 2}, out + row * stride, stride, adds);
    check.ask();
  }
}

void Stack::transpose(const float* rows, size_t stride, int count, float* out) const {
  int wide = padded(count);
  for (int place = 0; place < shape.width; place++) {
    float* own = out + (size_t)place * wide;
    for (int token = 0; token < count; token++) own[token] = rows[token * stride + place];
    std::fill(own + count, own + wide, 0.0f);
  }
}

// A sublayer f: x + f(norm(x)), or norm(x + f(x)). `run(input, states)` computes f of the input and adds the result to
// the states.
template <typename Run>
static void sublayer(const Stack& stack, const Norm& norm, float* states, float* entered, int rows, const Run& run) {
  const Shape& shape = stack.shape;
  auto normalise = [&](const float* from, float* to) {
    stack.kernels.normalise(from, norm.gain.data(), norm.bias.data(), shape.epsilon, rows, shape.width, to);
  };
  if (shape.norm_before) {
    normalise(states, entered);
    run(entered, states);
  } else {
    run(states, states);
    normalise(states, states);
  }
}

void Stack::feed_forward(int number, Buffers& buffers, int rows, CancellationCheck& check) const {
  const Layer& layer = layers[number];
  sublayer(*this, layer.norms[FEED_FORWARD_NORM], buffers.states, buffers.entered, rows, [&](float* from, float* to) {
    linear(*layer.products[UP], from, rows, buffers.inner, shape.feed_forward, false, check);
    kernels.activate((Activation)shape.activation, buffers.inner, (size_t)rows * shape.feed_forward);
    linear(*layer.products[DOWN], buffers.inner, rows, to, shape.width, true, check);
  });
}

// `read(queries, mixed)` computes the attention of the queries [rows][D] to the source. `context`, if not null,
// receives the sublayer's change of the states.
template <typename Read>
void Stack::attend_source(int number, Buffers& buffers, int rows, float* context, CancellationCheck& check,
                          const Read& read) const {
  const Layer& layer = layers[number];
  size_t width = shape.width;
  sublayer(*this, layer.norms[SOURCE_NORM], buffers.states, buffers.entered, rows, [&](float* from, float* to) {
    linear(*layer.products[SOURCE_QUERY], from, rows, buffers.queries, width, false, check);
    read(buffers.queries, buffers.mixed);
    if (!context) {
      linear(*layer.products[SOURCE_OUT], buffers.mixed, rows, to, width, true, check);
      return;
    }
    linear(*layer.products[SOURCE_OUT], buffers.mixed, rows, context, width, false, check);
    for (size_t at = 0; at < rows * width; at++) to[at] += context[at];
  });
}

void Stack::encode(float* given, const int32_t* lengths, int sentences, int longest, int first, int last,
                   CancellationCheck& check) const {
  int rows = 0, most = 0;
  for (int sentence = 0; sentence < sentences; sentence++) {
    rows += lengths[sentence];
    most = std::max(most, lengths[sentence]);
  }
  if (!rows) return;
  Buffers buffers(shape, rows, most);
  size_t width = shape.width;
  auto each = [&](auto&& act) {
    for (int sentence = 0, at = 0; sentence < sentences; at += lengths[sentence++]) act(sentence, (size_t)at);
  };
  each([&](int sentence, size_t at) {
    memcpy(buffers.states + at * width, given + (size_t)sentence * longest * width,
           lengths[sentence] * width * sizeof(float));
  });
  for (int number = first; number < last; number++) {
    const Layer& layer = layers[number];
    auto own = [&](float* from, float* to) {
      linear(*layer.products[OWN_IN], from, rows, buffers.queries, 3 * width, false, check);
      each([&](int sentence, size_t at) {
        int count = lengths[sentence];
        const float* projected = buffers.queries + at * 3 * width;
        float* keys = buffers.scratch + 8 * padded(count);
        transpose(projected + width, 3 * width, count, keys);
        kernels.attend(Attended{projected, count, 3 * width, keys, padded(count), projected + 2 * width, 3 * width,
                                nullptr, count, false, shape.heads, shape.width / shape.heads,
                                buffers.mixed + at * width, width, nullptr, false, buffers.scratch});
        check.ask();
      });
      linear(*layer.products[OWN_OUT], buffers.mixed, rows, to, width, true, check);
    };
    sublayer(*this, layer.norms[OWN_NORM], buffers.states, buffers.entered, rows, own);
    feed_forward(number, buffers, rows, check);
  }
  each([&](int sentence, size_t at) {
    memcpy(given + (size_t)sentence * longest * width, buffers.states + at * width,
           lengths[sentence] * width * sizeof(float));
  });
}

void Stack::read_source(const float* annotations, int count, float* out, CancellationCheck& check) const {
  static thread_local Space space;
  size_t width = shape.width;
  float* projected = space.take(2 * width * count);
  for (const Layer& layer : layers) {
    linear(*layer.products[SOURCE_KEY_VALUE], annotations, count, projected, 2 * width, false, check);
    transpose(projected, 2 * width, count, out);
    out += width * padded(count);
    for (int token = 0; token < count; token++, out += width)
      memcpy(out, projected + (2 * (size_t)token + 1) * width, width * sizeof(float));
    check.ask();
  }
}

void Stack::embed(const int64_t* previous, int rows, int position, bool advances, float* embedding,
                  float* states) const {
  size_t width = shape.width;
  for (int row = 0; row < rows; row++) {
    const float* own = embeddings + previous[row] * width;
    const float* place = positions + (size_t)(advances ? position + row : position) * width;
    memcpy(embedding + row * width, own, width * sizeof(float));
    for (size_t at = 0; at < width; at++) states[row * width + at] = own[at] * shape.scale + place[at];
  }
}

// c ← σ(f) ⊗ c + (1 − σ(f)) ⊗ x for one row; `projected` is [x; f], and relu(c) is added to `to`.
static void recur(const float* projected, size_t width, float* cell, float* to) {
  for (size_t at = 0; at < width; at++) {
    float kept = 1 / (1 + expf(-projected[width + at]));
    cell[at] = kept * cell[at] + (1 - kept) * projected[at];
    to[at] += std::max(cell[at], 0.0f);
  }
}

void Stack::step(const Step& given, CancellationCheck& check) const {
  int rows = given.rows, wide = padded(given.tokens), size = shape.width / shape.heads;
  int own_tokens = given.position + 1, sentences = rows / given.group;
  Buffers buffers(shape, rows, std::max(given.tokens, own_tokens));
  size_t width = shape.width, of_layer = width * (wide + given.tokens);
  embed(given.previous, rows, given.position, false, given.embedding, buffers.states);
  for (int number = 0; number < shape.layers; number++) {
    const Layer& layer = layers[number];
    float* cache = given.cache + number * given.capacity * 2 * width;
    auto own = [&](float* from, float* to) {
      int parts = shape.recurrent ? 2 : 3;
      linear(*layer.products[OWN_IN], from, rows, buffers.queries, parts * width, false, check);
      if (shape.recurrent) {
        for (int row = 0; row < rows; row++)
          recur(buffers.queries + row * 2 * width, width,
                given.cells + ((size_t)row * shape.layers + number) * width, to + row * width);
        return;
      }
      for (int row = 0; row < rows; row++)
        memcpy(cache + (given.first + row) * 2 * width, buffers.queries + row * 3 * width + width,
               2 * width * sizeof(float));
      for (int row = 0; row < rows; row++)
        kernels.attend_scattered(Scattered{buffers.queries + row * 3 * width, cache,
                                           given.entries + (size_t)row * own_tokens, own_tokens, shape.heads, size,
                                           buffers.mixed + row * width, buffers.scratch});
      linear(*layer.products[OWN_OUT], buffers.mixed, rows, to, width, true, check);
    };
    sublayer(*this, layer.norms[OWN_NORM], buffers.states, buffers.entered, rows, own);
    bool is_last = number == shape.layers - 1;
    attend_source(number, buffers, rows, is_last ? given.context : nullptr, check, [&](float* queries, float* mixed) {
      for (int sentence = 0; sentence < sentences; sentence++) {
        const float* keys = given.source + ((size_t)sentence * shape.layers + number) * of_layer;
        size_t first = (size_t)sentence * given.group;
        float* shown = number == shape.aligning ? given.shown + first * given.tokens : nullptr;
        kernels.attend(Attended{queries + first * width, given.group, width, keys, wide, keys + width * wide, width,
                                given.bias + (size_t)sentence * wide, given.tokens, false, shape.heads, size,
                                mixed + first * width, width, shown, shape.shows_mean != 0, buffers.scratch});
      }
    });
    feed_forward(number, buffers, rows, check);
  }
  if (shape.norm_before)
    kernels.normalise(buffers.states, norm.gain.data(), norm.bias.data(), shape.epsilon, rows, shape.width,
                      given.state);
  else
    memcpy(given.state, buffers.states, rows * width * sizeof(float));
}

void Stack::force(const Forced& given, CancellationCheck& check) const {
  int rows = given.rows, wide = padded(given.tokens), size = shape.width / shape.heads;
  Buffers buffers(shape, rows, given.tokens);
  size_t width = shape.width, of_layer = width * (wide + given.tokens);
  std::vector<float> cell(shape.recurrent ? width : 0);
  embed(given.previous, rows, 0, true, given.embedding, buffers.states);
  for (int number = 0; number < shape.layers; number++) {
    const Layer& layer = layers[number];
    auto own = [&](float* from, float* to) {
      if (shape.recurrent) {
        linear(*layer.products[OWN_IN], from, rows, buffers.queries, 2 * width, false, check);
        std::fill(cell.begin(), cell.end(), 0.0f);
        for (int row = 0; row < rows; row++)
          recur(buffers.queries + row * 2 * width, width, cell.data(), to + row * width);
        return;
      }
      linear(*layer.products[OWN_IN], from, rows, buffers.queries, 3 * width, false, check);
      float* keys = buffers.scratch + 8 * padded(rows);
      transpose(buffers.queries + width, 3 * width, rows, keys);
      kernels.attend(Attended{buffers.queries, rows, 3 * width, keys, padded(rows), buffers.queries + 2 * width,
                              3 * width, nullptr, rows, true, shape.heads, size, buffers.mixed, width, nullptr, false,
                              buffers.scratch});
      linear(*layer.products[OWN_OUT], buffers.mixed, rows, to, width, true, check);
    };
    sublayer(*this, layer.norms[OWN_NORM], buffers.states, buffers.entered, rows, own);
    bool is_last = number == shape.layers - 1;
    attend_source(number, buffers, rows, is_last ? given.context : nullptr, check, [&](float* queries, float* mixed) {
      const float* keys = given.source + number * of_layer;
      float* shown = number == shape.aligning ? given.shown : nullptr;
      kernels.attend(Attended{queries, rows, width, keys, wide, keys + width * wide, width, given.bias, given.tokens,
                              false, shape.heads, size, mixed, width, shown, shape.shows_mean != 0, buffers.scratch});
    });
    feed_forward(number, buffers, rows, check);
  }
  if (shape.norm_before)
    kernels.normalise(buffers.states, norm.gain.data(), norm.bias.data(), shape.epsilon, rows, shape.width,
                      given.state);
  else
    memcpy(given.state, buffers.states, rows * width * sizeof(float));
}

void Stack::log_probs(const float* states, int rows, const Outputs* outputs, float* out,
                      CancellationCheck& check) const {
  constexpr int some = 40;  // number of rows between two checks for cancellation
  const Linear& product = outputs ? *outputs->product : *output;
  size_t pieces = product.out;
  for (int row = 0; row < rows; row += some) {
    int count = std::min(some, rows - row);
    float* to = out + row * pieces;
    linear(product, states + (size_t)row * shape.width, count, to, pieces, false, check);
    for (int each = 0; each < count; each++) kernels.log_softmax(to + each * pieces, (int)pieces);
    check.ask();
  }
}

}  // namespace anaphora
