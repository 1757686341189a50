// Layers of a Transformer encoder or decoder, with their products in 8 bits.
#pragma once

#include <chrono>
#include <memory>
#include <vector>

#include "kernels.h"

namespace anaphora {

// Thrown if the caller does not need the result any more.
struct Cancelled {};

// Asks whether a call was cancelled, but not too often, because the callback may wait for Python's lock.
class CancellationCheck {
 public:
  explicit CancellationCheck(int (*cancelled)()) : cancelled_(cancelled), asked_(now()) {}
  // Throws Cancelled.
  void ask();

 private:
  static double now();
  int (*cancelled_)();
  double asked_;
};

struct Shape {
  int layers, width, heads, feed_forward;
  int source_width;  // width of the annotations that a decoder reads; 0 for an encoder
  int pieces, positions;  // numbers of a decoder's embeddings; 0 for an encoder
  int activation;
  int norm_before;  // x + f(norm(x)), and a norm at the end; else norm(x + f(x))
  int recurrent;    // simpler simple recurrent units instead of self-attention
  int shows_mean;   // the reported attention is the mean of all heads; else the first head's
  int aligning;     // the layer whose attention is reported
  float epsilon, scale;  // epsilon of norms, factor of embeddings
};

struct Norm {
  std::vector<float> gain, bias;
};

struct Deleter {
  void operator()(Linear* layer) const { delete layer; }
};
using Product = std::unique_ptr<Linear, Deleter>;

struct Outputs;

// Numbers of a layer's products and norms in the interface.
enum ProductPlace { OWN_IN, OWN_OUT, SOURCE_QUERY, SOURCE_KEY_VALUE, SOURCE_OUT, UP, DOWN, PRODUCTS };
enum NormPlace { OWN_NORM, SOURCE_NORM, FEED_FORWARD_NORM, NORMS };

struct Layer {
  Product products[PRODUCTS];
  Norm norms[NORMS];
};

// One step of `rows` hypotheses, `group` for each sentence; see `interface.cpp` for the arrays.
struct Step {
  int rows, group, position;
  const int64_t* previous;
  const int32_t* entries;
  float* cache;
  size_t capacity, first;
  const float* source;
  const float* bias;
  int tokens;
  float* cells;
  float *state, *context, *embedding, *shown;
};

// All steps of one target.
struct Forced {
  int rows;
  const int64_t* previous;
  const float* source;
  const float* bias;
  int tokens;
  float *state, *context, *embedding, *shown;
};

class Stack {
 public:
  Stack(const Shape& shape, const Kernels& kernels);

  const Shape shape;
  const Kernels& kernels;
  std::vector<Layer> layers;
  Norm norm;
  Product output;
  const float* embeddings = nullptr;  // [pieces][width]; the caller keeps them
  const float* positions = nullptr;  // [positions][width]

  // True if no weights are missing.
  bool complete() const;
  // The required numbers of a product's outputs and inputs.
  void product_shape(int place, int* out, int* in) const;

  int padded(int tokens) const { return (tokens + LANES - 1) / LANES * LANES; }
  // Number of floats of a sentence of `tokens` tokens that is prepared for all layers.
  size_t source_floats(int tokens) const;

  void encode(float* states, const int32_t* lengths, int sentences, int longest, int first, int last,
              CancellationCheck& check) const;
  void read_source(const float* annotations, int tokens, float* out, CancellationCheck& check) const;
  void step(const Step& given, CancellationCheck& check) const;
  void force(const Forced& given, CancellationCheck& check) const;
  // Log-probabilities of all pieces, or of the pieces of `outputs`, [rows][pieces].
  void log_probs(const float* states, int rows, const Outputs* outputs, float* out, CancellationCheck& check) const;

 private:
  struct Buffers;
  void linear(const Linear& layer, const float* rows, int count, float* out, size_t stride, bool adds,
              CancellationCheck& check) const;
  void embed(const int64_t* previous, int rows, int position, bool advances, float* embedding, float* states) const;
  void transpose(const float* rows, size_t stride, int tokens, float* out) const;
  template <typename Read>
  void attend_source(int number, Buffers& buffers, int rows, float* context, CancellationCheck& check,
                     const Read& read) const;
  void feed_forward(int number, Buffers& buffers, int rows, CancellationCheck& check) const;
};

// The output layer of some pieces.
struct Outputs {
  const Stack* stack;
  std::vector<int32_t> pieces;  // ascending
  Product product;
};

Product pack(const float* weight, const float* bias, int out, int in, bool two_parts, bool unsigned_inputs);
// A product with only some of the outputs.
Product choose(const Linear& layer, const std::vector<int32_t>& outputs);

}  // namespace anaphora
