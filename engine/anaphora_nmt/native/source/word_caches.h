// The dynamic and topic caches (`memory/word_caches.py`): what hypotheses read in them.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "stack.h"

namespace anaphora {

constexpr int MOST_WORD = 8;  // pieces of a cached word
using Word = std::array<int64_t, MOST_WORD>;

// Two hidden layers and an output; the first reads the state, the context and the embedding of the last piece.
struct HiddenLayers {
  int first, second;           // widths; of a fixed gate both are 0
  const float* step_weights;   // [first][3 D]
  const float* step_biases;    // [first]
  const float* hidden_weights; // [first][second]
  const float* hidden_biases;  // [second]
  const float* output_weights; // [second]
  float output_bias;
};

// The words of a document that one sentence may read.
struct DocumentWords {
  int count, entered;    // `entered`: dynamic words that ever entered the queue
  const int64_t* words;  // [count][MOST_WORD], padded with 0
  const int64_t* order;  // place in the queue of the dynamic cache; of topic words far behind all, [count]
  const float* shares;   // of the scorer's first layer, [count][scorer.first]
};

struct WordCaches {
  HiddenLayers scorer, gate;
  const float* word_weights;  // of the scorer's first layer, for the mean embedding of a word, [first][D]
  float embedding_scale, model_weight;
  int has_model_score, dynamic_size;
  const uint8_t* starts;      // whether a piece begins a word, [V]
  const uint8_t* continues;   // whether it goes on with one, [V]
  const int64_t* stop_words;  // [stop_count][MOST_WORD], rising
  int stop_count;
  const DocumentWords* sentences;  // [N]
};

// A word of the hypothesis' own sentence, which has entered the dynamic cache.
struct EnteredWord {
  Word pieces;
  int64_t order;
  std::vector<float> share;
};

// What a hypothesis has written, as the caches see it.
struct WordsSoFar {
  std::vector<uint8_t> alive;  // of the document's words, then of its own: whether they begin as the open word does
  std::vector<std::shared_ptr<const EnteredWord>> own;
  Word open{};       // the pieces of the unfinished word
  int depth = 0;     // how many; 0: outside of words
  int entered = -1;  // -1: nothing was read yet
};

// One step of a hypothesis.
struct WordStep {
  WordsSoFar* words;
  int sentence;
  int64_t previous;      // the piece that it has taken
  const float* state;    // [D]
  const float* context;  // [D]
};

// What a hypothesis reads at one step.
struct WordsRead {
  std::vector<float> scores;  // of the words that may be offered
  std::vector<int64_t> offered;
  float keep;  // logit of the model's share
};

class WordReader {
 public:
  WordReader(const Stack& stack, const WordCaches& caches) : stack_(stack), caches_(caches) {}
  // Follow hypotheses by the pieces that they have taken, and read.
  void read(const std::vector<WordStep>& steps, std::vector<WordsRead>& found);
  // The distribution [V] after a reading, in place.
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
