// Layers of a Transformer encoder or decoder, with their products in 8 bits.
#pragma once

#include <chrono>
#include <memory>
#include <vector>

#include "kernels.h"

namespace anaphora {

// Told by the caller that nobody waits for the result any more.
struct Cancelled {};

// Asks now and then whether a call was cancelled: the question may have to wait for Python's lock.
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
  int source_width;  // 0: an encoder
  int pieces, positions;  // of a decoder's embeddings; 0 of an encoder
  int activation;
  int norm_before;  // x + f(norm(x)), and a norm at the end; else norm(x + f(x))
  int recurrent;    // simpler simple recurrent units in place of attention to the tokens before
  int shows_mean;   // the shown attention is the mean of all heads; else the first
  int aligning;     // the layer whose attention is shown
  float epsilon, scale;  // of norms; of embeddings
};

struct Norm {
  std::vector<float> gain, bias;
};

struct Deleter {
  void operator()(Linear* layer) const { delete layer; }
};
using Product = std::unique_ptr<Linear, Deleter>;

struct Outputs;

// Places of a layer's products and norms, as the interface numbers them.
enum ProductPlace { OWN_IN, OWN_OUT, SOURCE_QUERY, SOURCE_KEY_VALUE, SOURCE_OUT, UP, DOWN, PRODUCTS };
enum NormPlace { OWN_NORM, SOURCE_NORM, FEED_FORWARD_NORM, NORMS };

struct Layer {
  Product products[PRODUCTS];
  Norm norms[NORMS];
};

// One step of `rows` hypotheses, `group` of each sentence; see `interface.cpp` for the arrays.
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

  // Whether everything is there.
  bool complete() const;
  // What a product's shape has to be: outputs and inputs.
  void product_shape(int place, int* out, int* in) const;

  int padded(int tokens) const { return (tokens + LANES - 1) / LANES * LANES; }
  // Floats of what all layers read of a sentence of so many tokens.
  size_t source_floats(int tokens) const;

  void encode(float* states, const int32_t* lengths, int sentences, int longest, int first, int last,
              CancellationCheck& check) const;
  void read_source(const float* annotations, int tokens, float* out, CancellationCheck& check) const;
  void step(const Step& given, CancellationCheck& check) const;
  void force(const Forced& given, CancellationCheck& check) const;
  // Of all pieces, or of those that `outputs` has: [rows][of them].
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

// The output layer of some pieces alone.
struct Outputs {
  const Stack* stack;
  std::vector<int32_t> pieces;  // rising
  Product product;
};

Product pack(const float* weight, const float* bias, int out, int in, bool two_parts, bool unsigned_inputs);
// Some of a product's outputs.
Product choose(const Linear& layer, const std::vector<int32_t>& outputs);

}  // namespace anaphora
