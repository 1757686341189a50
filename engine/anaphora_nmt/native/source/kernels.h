// The interface of the kernels. `kernels.cpp` is compiled once for each instruction set, and defines a table for it.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace anaphora {

// Number of adjacent outputs in packed weights, and number of inputs that one instruction multiplies and sums.
constexpr int OUTPUTS = 32, INPUTS = 4;
// Rows are padded to a multiple of this number of floats.
constexpr int LANES = 16;
constexpr float LARGEST = 127.0f, FINER = 2 * LARGEST, SMALLEST = 1e-8f;

enum Activation { GELU = 0, RELU = 1, SWISH = 2, GELU_TANH = 3, GELU_SIGMOID = 4 };

// W x + b with W in 8 bits and a scale for each output. `rest` contains the rounding error of W in another 8 bits.
struct Linear {
  int out = 0, in = 0, padded_in = 0;
  int8_t* weights = nullptr;  // [out / 32][in / 4][32][4]
  float* scales = nullptr;    // [out]
  float* biases = nullptr;    // [out]
  int32_t* starts = nullptr;  // initial values of the sums, [out]; they cancel the offset of unsigned inputs
  Linear* rest = nullptr;
  ~Linear();
};

// Quantised rows: integers in up to two parts, and a scale for each row.
struct Quantised {
  const int8_t* numbers;  // [rows][parts][padded_in]
  const float* scales;    // [rows]
  int rows, parts;
};

// Attention of several queries to the same tokens.
struct Attended {
  const float* queries;  // [count][query_stride]
  int count;
  size_t query_stride;
  const float* keys;  // transposed, [heads * size][padded]
  int padded;
  const float* values;  // [tokens][value_stride]
  size_t value_stride;
  const float* bias;  // 0 for tokens, -inf for padding, [padded]
  int tokens;
  bool causal;  // query n reads the tokens up to n
  int heads, size;
  float* out;  // [count][out_stride]
  size_t out_stride;
  float* shown;  // output: logarithms of the weights, [count][tokens]; null: not requested
  bool shows_mean;  // `shown` is the mean of all heads; else the first head
  float* scratch;  // 8 * padded floats
};

// Attention of one query to tokens at any places of a cache.
struct Scattered {
  const float* query;     // [heads * size]
  const float* cache;     // keys and values side by side, [entries][2 * heads * size]
  const int32_t* entries;  // [tokens]
  int tokens, heads, size;
  float* out;      // [heads * size]
  float* scratch;  // heads * (tokens + LANES) floats
};

// Confirmed pieces of one document, and the constants for reading them (`memory/confirmed.py`).
struct Slots {
  int count, width, context;  // N, D, C
  int key_width;              // width of the compared vectors: D, or C + D
  const uint16_t* keys;       // float16, sixteen slots side by side: [N / 16, rounded up][key_width][16]
  const uint16_t* steps;      // float16, [N][C + D]
  const int64_t* pieces;      // [N]
  const int64_t* before;      // [N]
  const float* log_weights;   // [N]; null: all 0
  const uint16_t* values;     // float16, [N][D]; null: states are not shifted
  const uint8_t* still;       // 1 for pieces without a value, [N]; null: all have one
  float threshold, temperature, context_share, gate_bias, gate_context, gate_state;
  float deep_strength, deep_threshold, deep_temperature;
  int deep_steps;
};

// The reading of confirmed pieces by the hypotheses of one sentence.
struct Reading {
  int rows;
  const int64_t* previous;  // [rows]
  const float* state;       // [rows][D]
  const float* context;     // [rows][C]
  float* shares;            // of each piece, [rows][N]
  float* weight;            // [rows]
  float* shift;             // shift of the states, [rows][D]; null: no shift
  float* scratch;           // rows * key_width + max(N + LANES, D, C) floats
};

// The distribution [pieces] after a reading, computed from the distribution before it.
struct Blend {
  const float* log_probs;
  int pieces;
  float weight;
  const float* word_pieces;  // 1 at pieces of words, else 0, [pieces]
  const float* shares;  // [count]
  const int64_t* slots; // the piece of each share, [count]
  const int64_t* before;  // [count]
  int count;
  float* out;      // [pieces]
  float* scratch;  // [pieces], all 0 before and after
};

// The scores of words: two hidden layers; the first is the sum of the step's part and the word's part.
struct HiddenScores {
  const float* step;    // [first]
  const float* shares;  // the words' parts, [rows][first]; null: only the step's part
  int rows, first, second;
  const float* hidden_weights;  // [first][second]
  const float* hidden_biases;   // [second]
  const float* output_weights;  // [second]
  float* out;      // [rows]
  float* scratch;  // 4 * first floats
};

constexpr int64_t ANY = -1;  // replaces the previous piece for a piece that begins a word

struct Kernels {
  const char* name;
  bool (*runs)();
  bool unsigned_inputs;
  // Rows [rows][width] → `numbers` [rows][2][padded] and `scales` [rows].
  void (*quantise)(const float* rows, int count, int width, int padded, int8_t* numbers, float* scales);
  // Sets `out` [rows][stride] to the products, or with `adds` adds them to it.
  void (*multiply)(const Linear&, const Quantised&, float* out, size_t stride, bool adds);
  void (*activate)(Activation, float* values, size_t count);
  void (*normalise)(const float* rows, const float* gain, const float* bias, float epsilon, int count, int width,
                    float* out);
  void (*attend)(const Attended&);
  void (*attend_scattered)(const Scattered&);
  void (*log_softmax)(float* row, int count);
  // The largest values of a row with their places, largest first, equal ones in order. Returns their number.
  int (*largest)(const float* row, int count, int wanted, float* values, int32_t* places);
  // Returns true if a similarity exceeds the threshold.
  bool (*read)(const Slots&, const Reading&);
  void (*blend)(const Blend&);
  // Rows [count][in], weights [out][in] and biases in single precision → [count][out].
  void (*dense)(const float* weights, const float* biases, int out, int in, const float* rows, int count, float* found);
  void (*score)(const HiddenScores&);
};

// The tables, fastest first; null for an instruction set that the compiler does not support.
extern const Kernels* const* const ALL_KERNELS;
extern const int KERNELS_COUNT;

}  // namespace anaphora
