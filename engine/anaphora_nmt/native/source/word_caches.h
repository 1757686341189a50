// The reading of the dynamic and topic caches (`memory/word_caches.py`).
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "stack.h"

namespace anaphora {

constexpr int MOST_WORD = 8;  // maximum number of pieces of a cached word
using Word = std::array<int64_t, MOST_WORD>;

// Two hidden layers and an output; the first reads the state, the context and the embedding of the last piece.
struct HiddenLayers {
  int first, second;           // widths; both are 0 for a fixed gate
  const float* step_weights;   // [first][3 D]
  const float* step_biases;    // [first]
  const float* hidden_weights; // [first][second]
  const float* hidden_biases;  // [second]
  const float* output_weights; // [second]
  float output_bias;
};

// The words of a document for one sentence.
struct DocumentWords {
  int count, entered;    // `entered`: number of words that have ever entered the queue
  const int64_t* words;  // [count][MOST_WORD], padded with 0
  const int64_t* order;  // position in the queue of the dynamic cache; topic words never leave, [count]
  const float* shares;   // the words' parts of the scorer's first layer, [count][scorer.first]
};

struct WordCaches {
  HiddenLayers scorer, gate;
  const float* word_weights;  // weights of the scorer's first layer for a word's mean embedding, [first][D]
  float embedding_scale, model_weight;
  int has_model_score, dynamic_size;
  const uint8_t* starts;      // 1 for pieces that begin a word, [V]
  const uint8_t* continues;   // 1 for pieces that can continue a word, [V]
  const int64_t* stop_words;  // sorted, [stop_count][MOST_WORD]
  int stop_count;
  const DocumentWords* sentences;  // [N]
};

// A word of a hypothesis that has entered the dynamic cache.
struct EnteredWord {
  Word pieces;
  int64_t order;
  std::vector<float> share;
};

// A hypothesis' words.
struct WordsSoFar {
  std::vector<uint8_t> alive;  // 1 for words of the document, then of `own`, that begin with the unfinished word
  std::vector<std::shared_ptr<const EnteredWord>> own;
  Word open{};       // the pieces of the unfinished word
  int depth = 0;     // the number of these pieces; 0: outside words
  int entered = -1;  // see `DocumentWords`; -1 before the first piece
};

// One step of a hypothesis.
struct WordStep {
  WordsSoFar* words;
  int sentence;
  int64_t previous;      // its last piece
  const float* state;    // [D]
  const float* context;  // [D]
};

// The reading of one hypothesis at one step.
struct WordsRead {
  std::vector<float> scores;     // scores of the visible words
  std::vector<int64_t> offered;  // the piece that each of these words offers
  float keep;  // logit of the model's share
};

class WordReader {
 public:
  WordReader(const Stack& stack, const WordCaches& caches) : stack_(stack), caches_(caches) {}
  // Updates the hypotheses' words with their last pieces, and reads the caches.
  void read(const std::vector<WordStep>& steps, std::vector<WordsRead>& found);
  // Blends a distribution [V] with a reading, in place.
  void blend(WordsRead& read, float* log_probs);

 private:
  void advance(WordsSoFar& words, int sentence, int64_t piece) const;
  void enter(WordsSoFar& words, int sentence) const;
  bool is_stop_word(const Word& word) const;
  const float* first_layers(const HiddenLayers& layers, int rows, std::vector<float>& found) const;
  void score(const HiddenLayers& layers, const float* step, const float* shares, int rows, float* found);
  void read_one(const WordStep& step, const float* of_scorer, const float* of_gate, WordsRead& found);

  const Stack& stack_;
  const WordCaches& caches_;
  std::vector<float> features_, of_scorer_, of_gate_, shares_, scores_, scratch_, offers_;
};

}  // namespace anaphora
