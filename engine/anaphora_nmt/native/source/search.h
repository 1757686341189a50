// Beam search (`search/beam.py`), a decoder's steps, its memory and its constraints in one call.
#pragma once

#include "out_of_vocabulary.h"
#include "stack.h"
#include "trace.h"
#include "word_caches.h"

namespace anaphora {

// See `interface.cpp` for what is given; with V pieces, N sentences, S tokens of the longest, K hypotheses that are
// given back and of these L pieces at most.
struct Search {
  int sentences, size, best, longest;
  double length_penalty;
  const int32_t* limits;  // of pieces, [N]
  int bos, eos, pad, unk;
  const int64_t* prefix;  // pieces that are read before `bos`
  int prefix_count;
  const float* source;
  const float* bias;
  int tokens;
  const Outputs* outputs;  // the pieces that may be written, where there is one sentence; null: all
  Trace* trace;            // of the same sentence, where there is one; null: none

  const int32_t* marks;        // the placeholder that each piece stands for, or -1, [V]; null: no constraints
  const uint8_t* begin_words;  // [V]
  const int32_t* required;     // [N][mark_count]
  int mark_count, longest_cycle;
  double unmet_penalty, repeat_penalty;

  const SpelledPieces* spelled;  // null: any word may be written
  const Texts* lists;      // [N][list_count]
  int list_count, candidates;
  double unknown_penalty;

  const Slots* slots;   // [N]; null: no memory is read
  const float* word_pieces;  // [V]: 1 where a piece spells a word

  const WordCaches* words;  // null: none are read; else any piece may be written

  int sees;
  int32_t* pieces;     // [N][K][L]
  int32_t* lengths;    // [N][K]; 0: there is none
  double* log_probs;   // [N][K]
  double* scores;      // [N][K]
  float* seen;         // [N][K][S]
};

// Throws Cancelled.
void search(const Stack& stack, const Search& given, CancellationCheck& check);

}  // namespace anaphora
