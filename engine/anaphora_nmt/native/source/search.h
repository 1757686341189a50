// Beam search (`search/beam.py`) in one call: the decoder's steps, the memories and the constraints.
#pragma once

#include "out_of_vocabulary.h"
#include "stack.h"
#include "trace.h"
#include "word_caches.h"

namespace anaphora {

// Arguments of `anaphora_search`. V: pieces; N: sentences; S: tokens of the longest sentence; K: returned hypotheses;
// L: maximum pieces of a hypothesis.
struct Search {
  int sentences, size, best, longest;
  double length_penalty;
  const int32_t* limits;  // maximum pieces of each translation, [N]
  int bos, eos, pad, unk;
  const int64_t* prefix;  // pieces that are read before `bos`
  int prefix_count;
  const float* source;
  const float* bias;
  int tokens;
  const Outputs* outputs;  // output layer of the allowed pieces of a single sentence; null: all pieces are allowed
  Trace* trace;            // cached steps of a single sentence; null: no cache

  const int32_t* marks;        // placeholder of each piece, or -1, [V]; null: no constraints
  const uint8_t* begin_words;  // [V]
  const int32_t* required;     // [N][mark_count]
  int mark_count, longest_cycle;
  double unmet_penalty, repeat_penalty;

  const SpelledPieces* spelled;  // null: unknown words are not penalised
  const Texts* lists;      // [N][list_count]
  int list_count, candidates;
  double unknown_penalty;

  const Slots* slots;   // [N]; null: confirmed text is not read
  const float* word_pieces;  // 1 at word pieces, else 0, [V]

  const WordCaches* words;  // null: word caches are not read; not allowed together with `outputs`

  int sees;
  int32_t* pieces;     // [N][K][L]
  int32_t* lengths;    // [N][K]; 0: no hypothesis
  double* log_probs;   // [N][K]
  double* scores;      // [N][K]
  float* seen;         // [N][K][S]
};

// Throws Cancelled.
void search(const Stack& stack, const Search& given, CancellationCheck& check);

}  // namespace anaphora
