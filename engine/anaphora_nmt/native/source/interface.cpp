// The functions that Python calls. Each checks its arguments, catches all exceptions, and returns a `Status`.
//
// Arrays are contiguous, of float32, int64, int32 or uint8; the caller keeps them until the call returns (tables of
// embeddings and positions as long as the stack lives). A complete stack is immutable, so several threads may use it.
#include <math.h>
#include <string.h>

#include <algorithm>
#include <new>

#include "search.h"
#include "stack.h"

#if defined(_WIN32)
#define EXPORTED extern "C" __declspec(dllexport)
#else
#define EXPORTED extern "C" __attribute__((visibility("default")))
#endif

using namespace anaphora;

namespace {

enum Status { DONE = 0, CANCELLED = 1, WRONG = 2, NO_MEMORY = 3 };

constexpr int MOST_ROWS = 1 << 16, MOST_TOKENS = 1 << 14, MOST_WIDTH = 1 << 15, MOST_LAYERS = 256;

template <typename Run>
int guarded(const Run& run) {
  try {
    return run() ? DONE : WRONG;
  } catch (const Cancelled&) {
    return CANCELLED;
  } catch (const std::bad_alloc&) {
    return NO_MEMORY;
  } catch (...) {
    return WRONG;
  }
}

bool within(int64_t value, int64_t least, int64_t most) { return value >= least && value <= most; }

bool are_pieces(const Stack& stack, const int64_t* pieces, int count) {
  for (int at = 0; at < count; at++)
    if (!within(pieces[at], 0, stack.shape.pieces - 1)) return false;
  return true;
}

bool decodes(const Stack* stack) { return stack && stack->shape.source_width > 0 && stack->complete(); }

bool is_shape(const Shape& shape) {
  bool sizes = within(shape.layers, 1, MOST_LAYERS) && within(shape.width, LANES, MOST_WIDTH) &&
               within(shape.heads, 1, shape.width) && within(shape.feed_forward, LANES, MOST_WIDTH) &&
               within(shape.source_width, 0, MOST_WIDTH) && within(shape.activation, GELU, GELU_SIGMOID);
  if (!sizes || shape.width % shape.heads) return false;
  if (shape.width / shape.heads % LANES || shape.feed_forward % LANES || shape.source_width % LANES) return false;
  if (!within(shape.aligning, 0, shape.layers - 1) || !(shape.epsilon >= 0)) return false;
  return !shape.source_width || (within(shape.pieces, 1, 1 << 24) && within(shape.positions, 1, MOST_TOKENS));
}

bool are_slots(const Slots& slots) {
  if (!within(slots.count, 1, 1 << 24) || !within(slots.width, 1, MOST_WIDTH) || !within(slots.context, 1, MOST_WIDTH))
    return false;
  if (slots.width % LANES || slots.context % LANES) return false;  // so key_width is even
  if (slots.key_width != slots.width && slots.key_width != slots.width + slots.context) return false;
  if (!slots.keys || !slots.steps || !slots.pieces || !slots.before) return false;
  return slots.temperature > 0 && (!slots.values || (slots.deep_temperature > 0 && slots.deep_steps > 0));
}

bool is_piece(const Stack& stack, int64_t piece) { return within(piece, 0, stack.shape.pieces - 1); }

// Checks the count, the first start, and that there are bytes unless all texts are empty.
bool are_texts(const Texts& texts) {
  if (!texts.starts || !within(texts.count, 0, 1 << 24) || texts.starts[0] < 0) return false;
  return texts.starts[texts.count] == texts.starts[0] || texts.bytes;
}

bool are_constraints(const Stack& stack, const Search& given) {
  if (!given.marks) return true;
  if (!given.begin_words || !within(given.mark_count, 0, 1 << 16) || !within(given.longest_cycle, 0, 64)) return false;
  if (given.mark_count && !given.required) return false;
  for (int piece = 0; piece < stack.shape.pieces; piece++)
    if (!within(given.marks[piece], -1, given.mark_count - 1)) return false;
  return true;
}

bool are_spelled(const Stack& stack, const Search& given) {
  if (!given.spelled) return true;
  const SpelledPieces& spelled = *given.spelled;
  if (!are_texts(spelled.texts) || !are_texts(spelled.ends) || !spelled.heads || !spelled.spaced) return false;
  if (spelled.texts.count != stack.shape.pieces || spelled.ends.count != stack.shape.pieces) return false;
  if (!given.lists || !within(given.list_count, 1, 64)) return false;
  for (int at = 0; at < given.list_count * given.sentences; at++)
    if (!are_texts(given.lists[at])) return false;
  return true;
}

// The restricted output layer includes the pieces that the memory offers.
bool are_outputs(const Stack& stack, const Search& given) {
  if (!given.outputs) return true;
  if (given.outputs->stack != &stack || given.sentences != 1) return false;
  const std::vector<int32_t>& pieces = given.outputs->pieces;
  for (int slot = 0; given.slots && slot < given.slots->count; slot++)
    if (!std::binary_search(pieces.begin(), pieces.end(), given.slots->pieces[slot])) return false;
  return true;
}

bool is_trace(const Stack& stack, const Search& given) {
  if (!given.trace) return true;
  return &given.trace->stack == &stack && given.trace->tokens == given.tokens && given.sentences == 1;
}

bool is_memory(const Stack& stack, const Search& given) {
  if (!given.slots) return true;
  if (!given.word_pieces) return false;
  for (int number = 0; number < given.sentences; number++) {
    const Slots& slots = given.slots[number];
    if (!are_slots(slots) || slots.width != stack.shape.width || slots.context != stack.shape.width) return false;
    if (!are_pieces(stack, slots.pieces, slots.count)) return false;
  }
  return true;
}

bool are_layers(const HiddenLayers& layers) {
  if (!within(layers.first, LANES, MOST_WIDTH) || !within(layers.second, LANES, MOST_WIDTH)) return false;
  if (layers.first % LANES || layers.second % LANES) return false;
  return layers.step_weights && layers.step_biases && layers.hidden_weights && layers.hidden_biases &&
         layers.output_weights;
}

bool are_words(const Stack& stack, const Search& given) {
  if (!given.words) return true;
  const WordCaches& caches = *given.words;
  bool is_fixed = !caches.gate.first && !caches.gate.second;
  if (given.outputs || !are_layers(caches.scorer) || (!is_fixed && !are_layers(caches.gate))) return false;
  if (!caches.word_weights || !caches.starts || !caches.continues || !caches.sentences) return false;
  if (!within(caches.dynamic_size, 0, 1 << 20) || !within(caches.stop_count, 0, 1 << 20)) return false;
  if (caches.stop_count && !caches.stop_words) return false;
  for (int number = 0; number < given.sentences; number++) {
    const DocumentWords& words = caches.sentences[number];
    if (!within(words.count, 0, 1 << 20) || !within(words.entered, 0, 1 << 30)) return false;
    if (words.count && (!words.words || !words.order || !words.shares)) return false;
    if (!are_pieces(stack, words.words, words.count * MOST_WORD)) return false;
  }
  return true;
}

bool is_search(const Stack& stack, const Search& given) {
  if (!within(given.sentences, 1, 1 << 12) || !within(given.size, 1, 1 << 10)) return false;
  if (!within(given.best, 1, given.size) || !within(given.longest, 1, stack.shape.positions)) return false;
  if (!within(given.tokens, 1, MOST_TOKENS) || !within(given.prefix_count, 0, stack.shape.positions)) return false;
  if (!given.limits || !given.source || !given.bias || (given.prefix_count && !given.prefix)) return false;
  if (!given.pieces || !given.lengths || !given.log_probs || !given.scores || (given.sees && !given.seen)) return false;
  if (!is_piece(stack, given.bos) || !is_piece(stack, given.eos) || !is_piece(stack, given.pad)) return false;
  if (!is_piece(stack, given.unk) || !are_pieces(stack, given.prefix, given.prefix_count)) return false;
  for (int number = 0; number < given.sentences; number++)
    if (!within(given.limits[number], 1, std::min(given.longest, stack.shape.positions - given.prefix_count)))
      return false;
  if (!within(given.candidates, 0, 1 << 10) || !(given.length_penalty >= 0)) return false;
  return are_constraints(stack, given) && are_spelled(stack, given) && is_memory(stack, given) &&
         are_outputs(stack, given) &&
         is_trace(stack, given) && are_words(stack, given);
}

}  // namespace

// The name of a table of kernels; null if the compiler did not support it, or if there is no table of this number.
EXPORTED const char* anaphora_kernels_name(int number) {
  if (!within(number, 0, KERNELS_COUNT - 1) || !ALL_KERNELS[number]) return nullptr;
  return ALL_KERNELS[number]->name;
}

// True if this processor supports a table's instructions.
EXPORTED int anaphora_kernels_run(int number) {
  return anaphora_kernels_name(number) && ALL_KERNELS[number]->runs();
}

EXPORTED int anaphora_stack_new(const Shape* shape, int kernels, Stack** made) {
  return guarded([&] {
    if (!shape || !made || !is_shape(*shape) || !anaphora_kernels_run(kernels)) return false;
    *made = new Stack(*shape, *ALL_KERNELS[kernels]);
    return true;
  });
}

EXPORTED void anaphora_stack_free(Stack* stack) { delete stack; }

// Sets `weight` [out][in] and `bias` [out] of a layer's product; `layer` -1: the output layer. With `two_parts` the
// weights are as exact as the inputs.
EXPORTED int anaphora_stack_product(Stack* stack, int layer, int place, const float* weight, const float* bias, int out,
                                    int in, int two_parts) {
  return guarded([&] {
    if (!stack || !weight || !bias || !within(layer, -1, stack->shape.layers - 1)) return false;
    int wanted_out = stack->shape.pieces, wanted_in = stack->shape.width;
    if (layer >= 0) {
      if (!within(place, 0, PRODUCTS - 1)) return false;
      stack->product_shape(place, &wanted_out, &wanted_in);
    }
    if (out != wanted_out || in != wanted_in || !out || !in) return false;
    Product& product = layer < 0 ? stack->output : stack->layers[layer].products[place];
    product = pack(weight, bias, out, in, two_parts != 0, stack->kernels.unsigned_inputs);
    return true;
  });
}

// Sets `gain` and `bias` [width] of a layer's norm; `layer` -1: the norm after the last layer.
EXPORTED int anaphora_stack_norm(Stack* stack, int layer, int place, const float* gain, const float* bias, int width) {
  return guarded([&] {
    if (!stack || !gain || !bias || width != stack->shape.width) return false;
    if (!within(layer, -1, stack->shape.layers - 1) || !within(place, 0, NORMS - 1)) return false;
    Norm& norm = layer < 0 ? stack->norm : stack->layers[layer].norms[place];
    norm.gain.assign(gain, gain + width);
    norm.bias.assign(bias, bias + width);
    return true;
  });
}

// Sets a decoder's embeddings [pieces][width] and positions [positions][width], which are not copied.
EXPORTED int anaphora_stack_tables(Stack* stack, const float* embeddings, int pieces, const float* positions,
                                   int count) {
  return guarded([&] {
    if (!stack || !embeddings || !positions) return false;
    if (pieces != stack->shape.pieces || count != stack->shape.positions) return false;
    stack->embeddings = embeddings;
    stack->positions = positions;
    return true;
  });
}

EXPORTED int anaphora_stack_complete(const Stack* stack) { return stack && stack->complete(); }

// Applies an encoder's layers `first` to `last` - 1 in place: states [sentences][longest][width]. `lengths` are the
// sentences' numbers of tokens; padding does not change.
EXPORTED int anaphora_encode(const Stack* stack, float* states, const int32_t* lengths, int sentences, int longest,
                             int first, int last, int (*cancelled)()) {
  return guarded([&] {
    if (!stack || stack->shape.source_width || !stack->complete() || !states || !lengths) return false;
    if (!within(sentences, 1, MOST_ROWS) || !within(longest, 1, MOST_TOKENS)) return false;
    if ((int64_t)sentences * longest > MOST_ROWS * 16) return false;
    if (!within(first, 0, stack->shape.layers) || !within(last, first, stack->shape.layers)) return false;
    for (int at = 0; at < sentences; at++)
      if (!within(lengths[at], 0, longest)) return false;
    CancellationCheck check(cancelled);
    stack->encode(states, lengths, sentences, longest, first, last, check);
    return true;
  });
}

// Applies the norm after an encoder's last layer in place, [rows][width].
EXPORTED int anaphora_last_norm(const Stack* stack, float* states, int rows) {
  return guarded([&] {
    if (!stack || !states || stack->norm.gain.empty() || !within(rows, 0, MOST_ROWS * 16)) return false;
    const Norm& norm = stack->norm;
    stack->kernels.normalise(states, norm.gain.data(), norm.bias.data(), stack->shape.epsilon, rows,
                             stack->shape.width, states);
    return true;
  });
}

// Number of floats that `anaphora_read_source` writes for a sentence of `tokens` tokens; 0 if these are too many.
EXPORTED int64_t anaphora_source_floats(const Stack* stack, int tokens) {
  return decodes(stack) && within(tokens, 1, MOST_TOKENS) ? (int64_t)stack->source_floats(tokens) : 0;
}

// Prepares one sentence for all layers: annotations [tokens][source_width] → `out` [anaphora_source_floats].
EXPORTED int anaphora_read_source(const Stack* stack, const float* annotations, int tokens, float* out,
                                  int64_t out_floats, int (*cancelled)()) {
  return guarded([&] {
    if (!annotations || !out || out_floats <= 0 || anaphora_source_floats(stack, tokens) != out_floats) return false;
    CancellationCheck check(cancelled);
    stack->read_source(annotations, tokens, out, check);
    return true;
  });
}

// One step of a search. S: tokens of the source; P: S rounded up to a multiple of 16; N = rows / group: sentences.
//
//     previous [rows]                 last pieces
//     entries [rows][position + 1]    numbers of cache entries: earlier tokens', and the new token's (`first` + row)
//     cache [layers][capacity][2 D]   keys and values; entries `first` to `first` + rows - 1 are written
//     source [N][source_floats], bias [N][P]: 0 for tokens, -inf for padding
//     cells [rows][layers][D]         recurrent states, changed in place; null without recurrence
//     state, context, embedding [rows][D], shown [rows][S]: the results
EXPORTED int anaphora_step(const Stack* stack, const Step* given, int (*cancelled)()) {
  return guarded([&] {
    if (!decodes(stack) || !given || !within(given->rows, 1, MOST_ROWS) || !within(given->group, 1, given->rows))
      return false;
    const Step& step = *given;
    if (step.rows % step.group || !within(step.tokens, 1, MOST_TOKENS)) return false;
    if (!within(step.position, 0, stack->shape.positions - 1)) return false;
    if (!step.previous || !step.source || !step.bias) return false;
    if (!step.state || !step.context || !step.embedding || !step.shown) return false;
    if (!are_pieces(*stack, step.previous, step.rows)) return false;
    if (stack->shape.recurrent) {
      if (!step.cells) return false;
    } else {
      if (!step.entries || !step.cache || step.capacity > (size_t)1 << 31) return false;
      size_t end = step.first + step.rows;
      if (step.first > step.capacity || end > step.capacity) return false;
      for (int row = 0; row < step.rows; row++) {
        const int32_t* own = step.entries + (size_t)row * (step.position + 1);
        for (int at = 0; at < step.position; at++)
          if (!within(own[at], 0, (int64_t)step.first - 1)) return false;
        if (own[step.position] != (int64_t)step.first + row) return false;
      }
    }
    CancellationCheck check(cancelled);
    stack->step(step, check);
    return true;
  });
}

// Beam search for N sentences of S tokens, with `source` and `bias` as for `anaphora_step`. Every step reads the
// sentences' `slots` and obeys the constraints in `marks` and `lists`, if any. The results are the `best` hypotheses of
// each sentence, best first: pieces, number of pieces, log-probability, score, and with `sees` the largest log-weight
// of each source token at any step.
EXPORTED int anaphora_search(const Stack* stack, const Search* given, int (*cancelled)()) {
  return guarded([&] {
    if (!decodes(stack) || !given || !is_search(*stack, *given)) return false;
    CancellationCheck check(cancelled);
    search(*stack, *given, check);
    return true;
  });
}

// All steps of one target: previous [rows]; the other arguments as for `anaphora_step` with one sentence.
EXPORTED int anaphora_force(const Stack* stack, const Forced* given, int (*cancelled)()) {
  return guarded([&] {
    if (!decodes(stack) || !given || !within(given->rows, 1, stack->shape.positions)) return false;
    if (!given->previous || !given->source || !given->bias || !within(given->tokens, 1, MOST_TOKENS)) return false;
    if (!given->state || !given->context || !given->embedding || !given->shown) return false;
    if (!are_pieces(*stack, given->previous, given->rows)) return false;
    CancellationCheck check(cancelled);
    stack->force(*given, check);
    return true;
  });
}

// The output layer of `count` pieces in ascending order. The stack must outlive it.
EXPORTED int anaphora_outputs_new(const Stack* stack, const int32_t* pieces, int count, Outputs** made) {
  return guarded([&] {
    if (!decodes(stack) || !pieces || !made || !within(count, 1, stack->shape.pieces)) return false;
    for (int at = 0; at < count; at++)
      if (!within(pieces[at], at ? pieces[at - 1] + 1 : 0, stack->shape.pieces - 1)) return false;
    std::vector<int32_t> chosen(pieces, pieces + count);
    Product product = choose(*stack->output, chosen);
    *made = new Outputs{stack, std::move(chosen), std::move(product)};
    return true;
  });
}

EXPORTED void anaphora_outputs_free(Outputs* outputs) { delete outputs; }

// A cache of a sentence's steps, for searches with the same `source` and `bias` only. `most`: its maximum size in
// floats. The stack must outlive it.
EXPORTED int anaphora_trace_new(const Stack* stack, int tokens, int most, Trace** made) {
  return guarded([&] {
    if (!decodes(stack) || !made || !within(tokens, 1, MOST_TOKENS) || !within(most, 0, 1 << 28)) return false;
    *made = new Trace(*stack, tokens, most);
    return true;
  });
}

EXPORTED void anaphora_trace_free(Trace* trace) { delete trace; }

// Log-probabilities of all pieces, or of the pieces of `outputs`: states [rows][width] → `out` [rows][pieces].
EXPORTED int anaphora_log_probs(const Stack* stack, const Outputs* outputs, const float* states, int rows, float* out,
                                int (*cancelled)()) {
  return guarded([&] {
    if (!decodes(stack) || !states || !out || !within(rows, 0, MOST_ROWS)) return false;
    if (outputs && outputs->stack != stack) return false;
    CancellationCheck check(cancelled);
    stack->log_probs(states, rows, outputs, out, check);
    return true;
  });
}

// A single product: weight [out][in], bias [out], rows [count][in] → `out_rows` [count][out]. For tests, and for the
// check of the kernels when the library is loaded.
EXPORTED int anaphora_product(int kernels, const float* weight, const float* bias, int out, int in, int two_parts,
                              const float* rows, int count, float* out_rows) {
  return guarded([&] {
    if (!anaphora_kernels_run(kernels) || !weight || !bias || !rows || !out_rows) return false;
    if (!within(out, 1, 1 << 24) || !within(in, 1, MOST_WIDTH) || !within(count, 0, MOST_ROWS)) return false;
    const Kernels& table = *ALL_KERNELS[kernels];
    Product product = pack(weight, bias, out, in, two_parts != 0, table.unsigned_inputs);
    std::vector<int8_t> numbers((size_t)count * 2 * product->padded_in);
    std::vector<float> scales(count);
    table.quantise(rows, count, in, product->padded_in, numbers.data(), scales.data());
    table.multiply(*product, Quantised{numbers.data(), scales.data(), count, 2}, out_rows, out, false);
    return true;
  });
}

// The `wanted` largest values of each row [rows][columns] and their places, largest first, [rows][wanted].
EXPORTED int anaphora_largest(int kernels, const float* values, int rows, int columns, int wanted, float* found,
                              int32_t* places) {
  return guarded([&] {
    if (!anaphora_kernels_run(kernels) || !values || !found || !places) return false;
    if (!within(rows, 1, 1 << 24) || !within(columns, 1, INT32_MAX - 64) || !within(wanted, 1, columns)) return false;
    for (int64_t row = 0; row < rows; row++)
      ALL_KERNELS[kernels]->largest(values + row * columns, columns, wanted, found + row * wanted,
                                    places + row * wanted);
    return true;
  });
}

// Reads the slots of one sentence for `rows` hypotheses; `any`: true if a similarity exceeds the threshold.
EXPORTED int anaphora_read(int kernels, const Slots* slots, const Reading* given, int* any) {
  return guarded([&] {
    if (!anaphora_kernels_run(kernels) || !slots || !given || !any || !are_slots(*slots)) return false;
    Reading reading = *given;
    if (!within(reading.rows, 1, MOST_ROWS) || !reading.previous || !reading.state || !reading.context) return false;
    if (!reading.shares || !reading.weight || (slots->values && !reading.shift)) return false;
    int longest = std::max(slots->count + LANES, std::max(slots->width, slots->context));
    std::vector<float> scratch((size_t)reading.rows * slots->key_width + longest);
    reading.scratch = scratch.data();
    *any = ALL_KERNELS[kernels]->read(*slots, reading);
    return true;
  });
}

// Blends the log-probabilities [rows][pieces] of one sentence's hypotheses with their reading: `weight` [rows],
// `shares` [rows][count], `word_pieces` [pieces]; `slots` and `before` [count].
EXPORTED int anaphora_blend(int kernels, const float* log_probs, int rows, int pieces, const float* weight,
                            const float* word_pieces, const float* shares, const int64_t* slots, const int64_t* before,
                            int count, float* out) {
  return guarded([&] {
    if (!anaphora_kernels_run(kernels) || !log_probs || !weight || !word_pieces || !shares || !slots || !before || !out)
      return false;
    if (!within(rows, 1, MOST_ROWS) || !within(pieces, 1, 1 << 24) || !within(count, 1, 1 << 24)) return false;
    for (int slot = 0; slot < count; slot++)
      if (!within(slots[slot], 0, pieces - 1)) return false;
    std::vector<float> scratch(pieces);
    for (size_t row = 0; row < (size_t)rows; row++) {
      const float* from = log_probs + row * pieces;
      if (weight[row] > 0)
        ALL_KERNELS[kernels]->blend(Blend{from, pieces, weight[row], word_pieces, shares + row * count, slots, before,
                                          count, out + row * pieces, scratch.data()});
      else
        memcpy(out + row * pieces, from, pieces * sizeof(float));
    }
    return true;
  });
}

namespace anaphora {

#define TABLE(name) extern const Kernels name;
#if defined(HAS_AVX512_VNNI)
TABLE(AVX512_VNNI)
#define POINTER_AVX512_VNNI &AVX512_VNNI
#else
#define POINTER_AVX512_VNNI nullptr
#endif
#if defined(HAS_AVX_VNNI)
TABLE(AVX_VNNI)
#define POINTER_AVX_VNNI &AVX_VNNI
#else
#define POINTER_AVX_VNNI nullptr
#endif
#if defined(HAS_AVX2)
TABLE(AVX2)
#define POINTER_AVX2 &AVX2
#else
#define POINTER_AVX2 nullptr
#endif
#if defined(HAS_NEON_DOT)
TABLE(NEON_DOT)
#define POINTER_NEON_DOT &NEON_DOT
#else
#define POINTER_NEON_DOT nullptr
#endif
TABLE(PLAIN_C)

static const Kernels* const TABLES[] = {POINTER_AVX512_VNNI, POINTER_AVX_VNNI, POINTER_AVX2, POINTER_NEON_DOT,
                                        &PLAIN_C};
const Kernels* const* const ALL_KERNELS = TABLES;
const int KERNELS_COUNT = sizeof(TABLES) / sizeof(TABLES[0]);

}  // namespace anaphora
