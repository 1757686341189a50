#include "word_caches.h"

#include <math.h>
#include <string.h>

#include <algorithm>

namespace anaphora {

constexpr float LEAST_SHARE = 1e-30f;  // avoids the logarithm of 0

static int64_t piece_at(const int64_t* word, int depth) { return word[std::min(depth, MOST_WORD - 1)]; }
static float log_sigmoid(float logit) { return logit < 0 ? logit - log1pf(expf(logit)) : -log1pf(expf(-logit)); }

bool WordReader::is_stop_word(const Word& word) const {
  int low = 0, high = caches_.stop_count;
  auto less = [](const int64_t* one, const int64_t* other) {
    return std::lexicographical_compare(one, one + MOST_WORD, other, other + MOST_WORD);
  };
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (less(caches_.stop_words + (size_t)middle * MOST_WORD, word.data()))
      low = middle + 1;
    else
      high = middle;
  }
  return low < caches_.stop_count && std::equal(word.begin(), word.end(), caches_.stop_words + (size_t)low * MOST_WORD);
}

// Puts the word that has just ended into the queue, unless it is a stop word, too long, or already there.
void WordReader::enter(WordsSoFar& words, int sentence) const {
  if (!caches_.dynamic_size || words.depth > MOST_WORD || is_stop_word(words.open)) return;
  const DocumentWords& document = caches_.sentences[sentence];
  int64_t gone = std::max(words.entered - caches_.dynamic_size, 0);
  for (int at = 0; at < document.count; at++)
    if (document.order[at] >= gone &&
        std::equal(words.open.begin(), words.open.end(), document.words + (size_t)at * MOST_WORD))
      return;
  for (const auto& each : words.own)
    if (each->order >= gone && each->pieces == words.open) return;
  auto entered = std::make_shared<EnteredWord>();
  entered->pieces = words.open;
  entered->order = words.entered++;
  int width = stack_.shape.width, first = caches_.scorer.first;
  std::vector<float> mean(width);
  for (int at = 0; at < words.depth; at++)
    for (int place = 0; place < width; place++) mean[place] += stack_.embeddings[words.open[at] * width + place];
  for (float& each : mean) each *= caches_.embedding_scale / words.depth;
  std::vector<float> nothing(first);
  entered->share.resize(first);
  stack_.kernels.dense(caches_.word_weights, nothing.data(), first, width, mean.data(), 1, entered->share.data());
  words.own.push_back(entered);
  words.alive.push_back(0);
}

void WordReader::advance(WordsSoFar& words, int sentence, int64_t piece) const {
  const DocumentWords& document = caches_.sentences[sentence];
  if (words.entered < 0) {
    words.entered = document.entered;
    words.alive.assign(document.count, 0);
  }
  bool starts = caches_.starts[piece], goes_on = caches_.continues[piece] && words.depth > 0;
  if (words.depth > 0 && !goes_on) enter(words, sentence);
  bool within = goes_on && words.depth < MOST_WORD;
  for (size_t at = 0; at < words.alive.size(); at++) {
    bool is_own = at >= (size_t)document.count;
    const int64_t* word = is_own ? words.own[at - document.count]->pieces.data() : document.words + at * MOST_WORD;
    words.alive[at] = (starts && word[0] == piece) || (within && words.alive[at] && piece_at(word, words.depth) == piece);
  }
  if (starts) {
    words.open = Word{piece};
    words.depth = 1;
  } else if (goes_on) {
    if (words.depth < MOST_WORD) words.open[words.depth] = piece;
    words.depth++;
  } else {
    words.open = Word{};
    words.depth = 0;
  }
}

// The step's part of the first layer for all rows, [rows][first].
const float* WordReader::first_layers(const HiddenLayers& layers, int rows, std::vector<float>& found) const {
  found.resize((size_t)rows * layers.first);
  stack_.kernels.dense(layers.step_weights, layers.step_biases, layers.first, 3 * stack_.shape.width, features_.data(),
                       rows, found.data());
  return found.data();
}

void WordReader::score(const HiddenLayers& layers, const float* step, const float* shares, int rows, float* found) {
  scratch_.resize(4 * layers.first);
  stack_.kernels.score(HiddenScores{step, shares, rows, layers.first, layers.second, layers.hidden_weights,
                                    layers.hidden_biases, layers.output_weights, found, scratch_.data()});
}

void WordReader::read(const std::vector<WordStep>& steps, std::vector<WordsRead>& found) {
  size_t width = stack_.shape.width;
  features_.clear();
  for (const WordStep& step : steps) {
    advance(*step.words, step.sentence, step.previous);
    features_.insert(features_.end(), step.state, step.state + width);
    features_.insert(features_.end(), step.context, step.context + width);
    const float* embedding = stack_.embeddings + step.previous * width;
    for (size_t at = 0; at < width; at++) features_.push_back(embedding[at] * caches_.embedding_scale);
  }
  int rows = (int)steps.size();
  const float* of_scorer = first_layers(caches_.scorer, rows, of_scorer_);
  const float* of_gate = caches_.gate.first ? first_layers(caches_.gate, rows, of_gate_) : nullptr;
  found.resize(rows);
  for (int row = 0; row < rows; row++)
    read_one(steps[row], of_scorer + (size_t)row * caches_.scorer.first,
             of_gate ? of_gate + (size_t)row * caches_.gate.first : nullptr, found[row]);
}

void WordReader::read_one(const WordStep& step, const float* of_scorer, const float* of_gate, WordsRead& found) {
  const WordsSoFar& words = *step.words;
  const DocumentWords& document = caches_.sentences[step.sentence];
  size_t count = words.alive.size();
  found.scores.clear();
  found.offered.clear();
  found.keep = caches_.gate.output_bias;
  if (!count) return;
  if (of_gate) {
    float logit;
    score(caches_.gate, of_gate, nullptr, 1, &logit);
    found.keep += logit;
  }
  scores_.resize(count);
  score(caches_.scorer, of_scorer, document.shares, document.count, scores_.data());
  shares_.clear();
  for (const auto& each : words.own) shares_.insert(shares_.end(), each->share.begin(), each->share.end());
  score(caches_.scorer, of_scorer, shares_.data(), (int)words.own.size(), scores_.data() + document.count);
  int64_t gone = std::max(words.entered - caches_.dynamic_size, 0);
  for (size_t at = 0; at < count; at++) {
    bool is_own = at >= (size_t)document.count;
    const EnteredWord* own = is_own ? words.own[at - document.count].get() : nullptr;
    if ((is_own ? own->order : document.order[at]) < gone) continue;
    const int64_t* word = is_own ? own->pieces.data() : document.words + at * MOST_WORD;
    int64_t next = piece_at(word, words.depth);
    bool goes_on = words.alive[at] && words.depth < MOST_WORD && next;
    found.scores.push_back(scores_[at]);
    found.offered.push_back(goes_on ? next : word[0]);
  }
}

void WordReader::blend(WordsRead& read, float* log_probs) {
  size_t count = read.scores.size(), pieces = stack_.shape.pieces;
  if (!count) return;
  if (caches_.has_model_score)
    for (size_t at = 0; at < count; at++) read.scores[at] += caches_.model_weight * log_probs[read.offered[at]];
  float most = *std::max_element(read.scores.begin(), read.scores.end()), total = 0;
  for (float& score : read.scores) total += score = expf(score - most);
  offers_.resize(pieces);  // all 0 between readings
  for (size_t at = 0; at < count; at++) offers_[read.offered[at]] += read.scores[at] / total;
  float kept = log_sigmoid(read.keep), given = log_sigmoid(-read.keep);
  for (size_t at = 0; at < pieces; at++) log_probs[at] += kept;
  for (int64_t piece : read.offered) {
    float share = offers_[piece];
    if (share <= 0) continue;  // another word has offered the same piece
    float before = log_probs[piece], offered = logf(std::max(share, LEAST_SHARE)) + given;
    float larger = std::max(before, offered), smaller = std::min(before, offered);
    log_probs[piece] = larger + log1pf(expf(smaller - larger));
    offers_[piece] = 0;
  }
}

}  // namespace anaphora
