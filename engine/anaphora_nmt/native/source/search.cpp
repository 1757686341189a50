#include "search.h"

#include <math.h>
#include <string.h>

#include <algorithm>
#include <functional>
#include <limits>

namespace anaphora {

namespace {

constexpr double NEVER = -std::numeric_limits<double>::infinity();
constexpr int SPARE = 16;  // additional candidates in the list, because some may be forbidden
constexpr int STEPS = 32;  // number of steps that fit into a new cache

// An unfinished hypothesis; a score of -inf: a filler that keeps the beam's width.
struct Row {
  std::vector<int32_t> pieces;
  double score = 0;
  std::vector<int32_t> unmet;
  std::vector<int32_t> entries;  // numbers of its tokens' entries in the cache
  std::vector<float> cells;      // recurrent states, instead of entries
  int node = -1;                 // its last step in the trace
  std::vector<float> seen;
  WordsSoFar words;
};

struct Candidate {
  double score;
  int row, piece;
  // Among equal scores, the earlier row is better; in the same row, the higher piece.
  bool operator>(const Candidate& other) const {
    if (score != other.score) return score > other.score;
    return row != other.row ? row < other.row : piece > other.piece;
  }
};

struct Finished {
  std::vector<int32_t> pieces;
  double log_prob, score;
  std::vector<float> seen;
};

struct Listed {
  double value;
  int32_t piece;
};

struct Change {
  int piece;
  double value;
};

class Beam {
 public:
  Beam(const Stack& stack, const Search& given, CancellationCheck& check);
  void run();

 private:
  void read_prefix();
  void step();
  void decode(const std::vector<int64_t>& previous);
  void make_room(int rows);
  void take_over(const std::vector<float>& from, size_t held, int rows);
  void leave_trace(int rows);
  void keep_steps(const std::vector<int>& rows, const std::vector<int64_t>& pieces);
  void distribute(bool moves);
  void read_memory(const std::vector<int64_t>& previous, bool* any);
  void read_words(const std::vector<int64_t>& previous);
  void select();
  std::vector<Candidate> best(int first, int last, int sentence);
  bool take(std::vector<Candidate>& found, int row, int sentence, const std::vector<Listed>& listed, bool is_all);
  std::vector<Listed> adjusted(const Row& row, const std::vector<Listed>& listed) const;
  std::vector<Change> repetitions(const Row& row) const;
  double owed(const Row& row, int piece) const;
  double repetition(const std::vector<int32_t>& pieces, int length) const;
  double norm(int length) const { return pow((5.0 + length) / 6.0, given_.length_penalty); }
  void add(int sentence, double score, int row, int piece);
  bool complete(int sentence, double best_alive) const;
  void keep(const std::vector<Candidate>& kept, const std::vector<int>& alive);
  void give_back() const;
  int group() const { return (int)(rows_.size() / alive_.size()); }
  int piece(int place) const { return given_.outputs ? given_.outputs->pieces[place] : place; }
  void choose_outputs();

  const Stack& stack_;
  const Search& given_;
  CancellationCheck& check_;
  Trace* trace_;
  std::unique_lock<std::mutex> lock_;
  std::vector<OutOfVocabularyPenalty> penalties_;
  std::unique_ptr<WordReader> words_;
  std::vector<int> alive_;
  std::vector<Row> rows_;
  std::vector<std::vector<Finished>> finished_;
  int length_ = 0, position_ = 0;
  // The allowed pieces: their number, 1 for word pieces, and the places of the memory's pieces among them.
  int pieces_;
  std::vector<float> word_pieces_;
  std::vector<int64_t> slot_places_;
  // The prepared sources of the unfinished sentences.
  std::vector<float> source_, bias_;
  const float *source_at_, *bias_at_;
  // Keys and values, [layers][capacity][2 D].
  std::vector<float> cache_, cells_;
  size_t capacity_ = 0, used_ = 0;
  // Data of the current step.
  std::vector<int32_t> entries_, places_;
  std::vector<float> state_, context_, shown_, found_, states_, log_probs_, values_, shares_, weight_, shift_, scratch_;
  std::vector<WordsRead> words_read_;
};

Beam::Beam(const Stack& stack, const Search& given, CancellationCheck& check)
    : stack_(stack),
      given_(given),
      check_(check),
      trace_(given.trace),
      pieces_(given.outputs ? (int)given.outputs->pieces.size() : stack.shape.pieces),
      source_at_(given.source),
      bias_at_(given.bias) {
  finished_.resize(given.sentences);
  rows_.resize(given.sentences);
  for (int number = 0; number < given.sentences; number++) {
    alive_.push_back(number);
    if (given.marks) {
      const int32_t* required = given.required + (size_t)number * given.mark_count;
      rows_[number].unmet.assign(required, required + given.mark_count);
    }
    if (given.spelled)
      penalties_.emplace_back(*given.spelled, given.lists + (size_t)number * given.list_count, given.list_count);
    if (stack.shape.recurrent) rows_[number].cells.resize((size_t)stack.shape.layers * stack.shape.width);
  }
  if (given.outputs && given.slots) choose_outputs();
  if (given.words) words_ = std::make_unique<WordReader>(stack, *given.words);
  if (trace_) lock_ = std::unique_lock<std::mutex>(trace_->mutex);
}

void Beam::choose_outputs() {
  const std::vector<int32_t>& pieces = given_.outputs->pieces;
  for (int32_t piece : pieces) word_pieces_.push_back(given_.word_pieces[piece]);
  for (int slot = 0; slot < given_.slots->count; slot++) {
    auto place = std::lower_bound(pieces.begin(), pieces.end(), given_.slots->pieces[slot]);
    slot_places_.push_back(place - pieces.begin());
  }
}

void Beam::run() {
  read_prefix();
  while (!alive_.empty()) step();
  give_back();
}

void Beam::read_prefix() {
  for (int at = 0; at < given_.prefix_count; at++) decode(std::vector<int64_t>(rows_.size(), given_.prefix[at]));
}

void Beam::make_room(int rows) {
  if (used_ + rows > capacity_) take_over(cache_, capacity_, rows);
}

// The trace is full: continue with this search's own cache.
void Beam::leave_trace(int rows) {
  if (!stack_.shape.recurrent) take_over(trace_->cache, trace_->capacity, rows);
  trace_ = nullptr;
  lock_.unlock();
}

// Replaces the cache with a copy of the entries of `from` that hypotheses read, with room for several steps of `rows`.
void Beam::take_over(const std::vector<float>& from, size_t held, int rows) {
  std::vector<int32_t> live;
  for (const Row& row : rows_) live.insert(live.end(), row.entries.begin(), row.entries.end());
  std::sort(live.begin(), live.end());
  live.erase(std::unique(live.begin(), live.end()), live.end());
  size_t capacity = 2 * live.size() + (size_t)STEPS * rows, width = 2 * (size_t)stack_.shape.width;
  std::vector<float> cache(stack_.shape.layers * capacity * width);
  for (int layer = 0; layer < stack_.shape.layers; layer++)
    for (size_t at = 0; at < live.size(); at++)
      memcpy(&cache[(layer * capacity + at) * width], &from[(layer * held + live[at]) * width],
             width * sizeof(float));
  for (Row& row : rows_)
    for (int32_t& entry : row.entries)
      entry = (int32_t)(std::lower_bound(live.begin(), live.end(), entry) - live.begin());
  cache_.swap(cache);
  capacity_ = capacity;
  used_ = live.size();
}

// One step of the decoder for all hypotheses.
void Beam::decode(const std::vector<int64_t>& previous) {
  int rows = (int)rows_.size(), recurrent = stack_.shape.recurrent, tokens = given_.tokens;
  size_t width = stack_.shape.width;
  state_.resize(rows * width);
  context_.resize(rows * width);
  shown_.resize((size_t)rows * tokens);
  std::vector<int> missing;  // rows whose step is not in the trace
  std::vector<int64_t> pieces;
  for (int row = 0; row < rows; row++) {
    int known = trace_ ? trace_->find(rows_[row].node, previous[row]) : -1;
    if (known < 0) {
      missing.push_back(row);
      pieces.push_back(previous[row]);
      continue;
    }
    const Node& node = trace_->nodes[known];
    Row& own = rows_[row];
    own.node = known;
    own.cells = node.cells;
    if (!recurrent) own.entries.push_back(known);
    std::copy(node.state.begin(), node.state.end(), &state_[row * width]);
    std::copy(node.context.begin(), node.context.end(), &context_[row * width]);
    std::copy(node.shown.begin(), node.shown.end(), &shown_[(size_t)row * tokens]);
  }
  position_++;
  if (missing.empty()) return;
  int count = (int)missing.size();
  if (trace_ && !trace_->takes(count)) leave_trace(count);
  if (trace_)
    trace_->make_room(count);
  else if (!recurrent)
    make_room(count);
  std::vector<float>& cache = trace_ ? trace_->cache : cache_;
  size_t capacity = trace_ ? trace_->capacity : capacity_, used = trace_ ? trace_->nodes.size() : used_;
  entries_.clear();
  cells_.clear();
  for (int place = 0; place < count; place++) {
    Row& own = rows_[missing[place]];
    if (!recurrent) own.entries.push_back((int32_t)used + place);
    entries_.insert(entries_.end(), own.entries.begin(), own.entries.end());
    cells_.insert(cells_.end(), own.cells.begin(), own.cells.end());
  }
  found_.resize(count * (3 * width + tokens));
  float *states = found_.data(), *contexts = states + count * width, *shown = contexts + 2 * count * width;
  Step step{count,   count / (int)alive_.size(), position_ - 1, pieces.data(), entries_.data(), cache.data(),
            capacity, used,      source_at_,    bias_at_,      tokens,          cells_.data(), states,
            contexts, contexts + count * width, shown};
  stack_.step(step, check_);
  if (!trace_ && !recurrent) used_ += count;
  for (int place = 0; place < count; place++) {
    Row& own = rows_[missing[place]];
    std::copy_n(states + place * width, width, &state_[missing[place] * width]);
    std::copy_n(contexts + place * width, width, &context_[missing[place] * width]);
    std::copy_n(shown + (size_t)place * tokens, tokens, &shown_[(size_t)missing[place] * tokens]);
    std::copy_n(cells_.data() + place * own.cells.size(), own.cells.size(), own.cells.begin());
  }
  if (trace_) keep_steps(missing, pieces);
}

// Adds the steps of `rows`, which have just been computed and are the last entries of the trace's cache, to the trace.
void Beam::keep_steps(const std::vector<int>& rows, const std::vector<int64_t>& pieces) {
  size_t width = stack_.shape.width, tokens = given_.tokens;
  for (size_t place = 0; place < rows.size(); place++) {
    Row& own = rows_[rows[place]];
    Node node;
    const float *state = &state_[rows[place] * width], *context = &context_[rows[place] * width];
    const float* shown = &shown_[rows[place] * tokens];
    node.state.assign(state, state + width);
    node.context.assign(context, context + width);
    node.shown.assign(shown, shown + tokens);
    node.cells = own.cells;
    own.node = trace_->add(own.node, pieces[place], std::move(node));
  }
}

// Computes the distributions of all rows. `moves`: the memory has shifted the states of rows with a positive weight.
void Beam::distribute(bool moves) {
  size_t pieces = pieces_, width = stack_.shape.width, rows = rows_.size();
  log_probs_.resize(rows * pieces);
  if (!trace_) {
    stack_.log_probs(state_.data(), (int)rows, given_.outputs, log_probs_.data(), check_);
    return;
  }
  bool keeps = !given_.outputs && pieces_ <= MOST_PIECES;
  std::vector<int> missing;
  states_.clear();
  for (size_t row = 0; row < rows; row++) {
    const std::vector<float>& known = trace_->nodes[rows_[row].node].log_probs;
    if (keeps && !(moves && weight_[row] > 0) && !known.empty()) {
      std::copy(known.begin(), known.end(), &log_probs_[row * pieces]);
      continue;
    }
    missing.push_back((int)row);
    states_.insert(states_.end(), &state_[row * width], &state_[row * width] + width);
  }
  found_.resize(missing.size() * pieces);
  stack_.log_probs(states_.data(), (int)missing.size(), given_.outputs, found_.data(), check_);
  for (size_t place = 0; place < missing.size(); place++) {
    const float* found = &found_[place * pieces];
    size_t row = missing[place];
    std::copy(found, found + pieces, &log_probs_[row * pieces]);
    if (keeps && !(moves && weight_[row] > 0)) trace_->keep(rows_[row].node, found, pieces);
  }
}

void Beam::read_memory(const std::vector<int64_t>& previous, bool* any) {
  *any = false;
  size_t width = stack_.shape.width, size = group();
  size_t most = 0, scratch = 0;
  for (int number : alive_) {
    const Slots& slots = given_.slots[number];
    most = std::max(most, (size_t)slots.count);
    size_t longest = std::max((size_t)slots.count + LANES, (size_t)std::max(slots.width, slots.context));
    scratch = std::max(scratch, size * slots.key_width + longest);
  }
  shares_.resize(rows_.size() * most);
  weight_.resize(rows_.size());
  shift_.resize(rows_.size() * width);
  scratch_.resize(scratch);
  for (size_t place = 0; place < alive_.size(); place++) {
    const Slots& slots = given_.slots[alive_[place]];
    size_t first = place * size;
    Reading reading{(int)size, &previous[first], &state_[first * width], &context_[first * width],
                    &shares_[first * most], &weight_[first], slots.values ? &shift_[first * width] : nullptr,
                    scratch_.data()};
    bool near = stack_.kernels.read(slots, reading);
    *any |= near;
    if (near && slots.values)
      for (size_t at = first * width; at < (first + size) * width; at++) state_[at] += shift_[at];
    check_.ask();
  }
}

// Reads the word caches with the decoder's own states, so this must precede `read_memory`, which shifts them.
void Beam::read_words(const std::vector<int64_t>& previous) {
  size_t width = stack_.shape.width;
  std::vector<WordStep> steps;
  for (size_t row = 0; row < rows_.size(); row++)
    steps.push_back(WordStep{&rows_[row].words, alive_[row / group()], previous[row], &state_[row * width],
                             &context_[row * width]});
  words_->read(steps, words_read_);
  check_.ask();
}

void Beam::step() {
  length_++;
  std::vector<int64_t> previous;
  for (const Row& row : rows_) previous.push_back(row.pieces.empty() ? given_.bos : row.pieces.back());
  decode(previous);
  if (given_.sees) {
    for (size_t number = 0; number < rows_.size(); number++) {
      const float* shown = &shown_[number * given_.tokens];
      std::vector<float>& seen = rows_[number].seen;
      if (seen.empty()) seen.assign(shown, shown + given_.tokens);
      for (int token = 0; token < given_.tokens; token++) seen[token] = std::max(seen[token], shown[token]);
    }
  }
  if (words_) read_words(previous);
  bool any = false;
  if (given_.slots) read_memory(previous, &any);
  size_t pieces = pieces_;
  distribute(any && given_.slots->values);
  if (any) {
    size_t size = group(), most = shares_.size() / rows_.size();
    const float* word_pieces = given_.outputs ? word_pieces_.data() : given_.word_pieces;
    scratch_.assign(pieces, 0);
    for (size_t row = 0; row < rows_.size(); row++) {
      if (!(weight_[row] > 0)) continue;
      const Slots& slots = given_.slots[alive_[row / size]];
      const float* shares = &shares_[row / size * size * most + row % size * slots.count];
      float* own = &log_probs_[row * pieces];
      const int64_t* places = given_.outputs ? slot_places_.data() : slots.pieces;
      stack_.kernels.blend(Blend{own, pieces_, weight_[row], word_pieces, shares, places, slots.before, slots.count,
                                 own, scratch_.data()});
    }
  }
  for (size_t row = 0; words_ && row < rows_.size(); row++)
    words_->blend(words_read_[row], &log_probs_[row * pieces]);
  select();
}

// Divides the candidates into finished and unfinished hypotheses.
void Beam::select() {
  std::vector<Candidate> kept;
  std::vector<int> alive;
  int width = group(), count = given_.size;
  int listed = std::min(std::max(2 * count, given_.candidates) + SPARE, pieces_);
  values_.resize(rows_.size() * listed);
  places_.resize(rows_.size() * listed);
  for (size_t row = 0; row < rows_.size(); row++)
    stack_.kernels.largest(&log_probs_[row * pieces_], pieces_, listed, &values_[row * listed], &places_[row * listed]);
  for (size_t place = 0; place < alive_.size(); place++) {
    int number = alive_[place];
    std::vector<Candidate> going;
    std::vector<Candidate> found = best((int)place * width, (int)(place + 1) * width, number);
    for (size_t rank = 0; rank < found.size(); rank++) {
      if (found[rank].piece != given_.eos)
        going.push_back(found[rank]);
      else if ((int)rank < count)
        add(number, found[rank].score, found[rank].row, found[rank].piece);
    }
    if ((int)going.size() > count) going.resize(count);
    bool over = length_ >= given_.limits[number];
    if (over && finished_[number].empty())
      for (const Candidate& each : going) add(number, each.score, each.row, each.piece);
    if (going.empty() || over || complete(number, going[0].score)) continue;
    Candidate last = going.back();
    last.score = NEVER;
    going.resize(count, last);
    kept.insert(kept.end(), going.begin(), going.end());
    alive.push_back(number);
  }
  keep(kept, alive);
}

// The best candidates of one sentence's hypotheses, twice the beam size, best first.
std::vector<Candidate> Beam::best(int first, int last, int sentence) {
  int count = (int)(values_.size() / rows_.size());
  std::vector<Candidate> found;  // a heap, the worst one first
  std::vector<Listed> listed;
  for (int row = first; row < last; row++) {
    if (rows_[row].score == NEVER) continue;
    listed.clear();
    for (int at = row * count; at < (row + 1) * count; at++) listed.push_back({values_[at], piece(places_[at])});
    if (take(found, row, sentence, listed, count == pieces_)) continue;
    listed.clear();
    const float* own = &log_probs_[(size_t)row * pieces_];
    for (int place = 0; place < pieces_; place++) listed.push_back({own[place], piece(place)});
    std::stable_sort(listed.begin(), listed.end(), [](const Listed& a, const Listed& b) { return a.value > b.value; });
    take(found, row, sentence, listed, true);
  }
  std::sort(found.begin(), found.end(), std::greater<Candidate>());
  return found;
}

// Adds one hypothesis' pieces, most probable first, to the best candidates so far. Returns false and changes nothing if
// a piece that is not listed could be among the best.
bool Beam::take(std::vector<Candidate>& found, int row, int sentence, const std::vector<Listed>& listed, bool is_all) {
  const Row& hypothesis = rows_[row];
  size_t wanted = 2 * (size_t)given_.size;
  double before = hypothesis.score;
  if (found.size() == wanted && before + listed[0].value <= found[0].score) return true;
  std::vector<Candidate> kept = found;
  BegunWord begun;
  if (given_.spelled) begun = penalties_[sentence].begun(hypothesis.pieces);
  int rank = 0;
  for (const Listed& each : adjusted(hypothesis, listed)) {
    double score = before + each.value;
    if (kept.size() == wanted && score <= kept[0].score) break;
    int here = rank++;
    if (score == NEVER || each.piece == given_.pad || each.piece == given_.bos) continue;
    if (given_.spelled && here < given_.candidates && penalties_[sentence].is_penalised(each.piece, begun))
      score -= given_.unknown_penalty;
    if (kept.size() == wanted) {
      if (score <= kept[0].score) continue;
      std::pop_heap(kept.begin(), kept.end(), std::greater<Candidate>());
      kept.pop_back();
    }
    kept.push_back({score, row, each.piece});
    std::push_heap(kept.begin(), kept.end(), std::greater<Candidate>());
  }
  double left = before + listed.back().value;  // upper bound for pieces that are not listed
  if (!is_all && (kept.size() < wanted || left > kept[0].score)) return false;
  found.swap(kept);
  return true;
}

// A hypothesis' candidates after its constraints, most probable first.
std::vector<Listed> Beam::adjusted(const Row& row, const std::vector<Listed>& listed) const {
  if (!given_.marks) return listed;
  std::vector<Change> again = repetitions(row);
  std::vector<Listed> changed = listed;
  for (Listed& each : changed) {
    double change = owed(row, each.piece);
    for (const Change& one : again)
      if (one.piece == each.piece) change = one.value;
    each.value += change;
  }
  std::stable_sort(changed.begin(), changed.end(), [](const Listed& a, const Listed& b) { return a.value > b.value; });
  return changed;
}

// The change of a piece's score: placeholders that are not due are forbidden, and missing ones penalise the end mark.
double Beam::owed(const Row& row, int piece) const {
  int mark = given_.marks[piece];
  if (piece == given_.unk || (mark >= 0 && row.unmet[mark] <= 0)) return NEVER;
  if (piece != given_.eos) return 0;
  long missing = std::count_if(row.unmet.begin(), row.unmet.end(), [](int32_t count) { return count > 0; });
  return missing ? -given_.unmet_penalty * missing : 0;
}

std::vector<Change> Beam::repetitions(const Row& row) const {
  std::vector<Change> again;
  for (int length = 1; length <= given_.longest_cycle; length++) {
    double change = repetition(row.pieces, length);
    if (change == 0) continue;
    int piece = row.pieces[row.pieces.size() - length];
    auto known = std::find_if(again.begin(), again.end(), [&](const Change& one) { return one.piece == piece; });
    if (known == again.end())
      again.push_back({piece, owed(row, piece) + change});
    else
      known->value += change;
  }
  return again;
}

// The change of the score of the piece that would repeat a cycle of `length` pieces: the piece `length` places back.
double Beam::repetition(const std::vector<int32_t>& pieces, int length) const {
  int count = (int)pieces.size();
  if (count < length) return 0;
  const int32_t* end = pieces.data() + count;
  if (count >= 2 * length && std::equal(end - length, end, end - 2 * length)) return NEVER;
  if (count < 2 * length - 1 || !given_.begin_words[end[1 - 2 * length]]) return 0;
  return std::equal(end - length + 1, end, end - 2 * length + 1) ? -given_.repeat_penalty : 0;
}

// Adds a finished hypothesis.
void Beam::add(int sentence, double score, int row, int piece) {
  Finished found{rows_[row].pieces, score, 0, rows_[row].seen};
  found.pieces.push_back(piece);
  found.score = score / norm((int)found.pieces.size());
  std::vector<Finished>& finished = finished_[sentence];
  auto better = [](const Finished& a, const Finished& b) { return a.score > b.score; };
  finished.insert(std::upper_bound(finished.begin(), finished.end(), found, better), found);
}

// True if no unfinished hypothesis can be among the best any more; `best_alive`: their highest log-probability.
bool Beam::complete(int sentence, double best_alive) const {
  const std::vector<Finished>& finished = finished_[sentence];
  if ((int)finished.size() < given_.best) return false;
  // Log-probabilities only fall, so the best possible score is `best_alive` divided by the norm of the longest length.
  double bound = best_alive / norm(std::max(given_.limits[sentence], length_));
  return (int)finished.size() >= given_.size || finished[given_.best - 1].score >= bound;
}

void Beam::keep(const std::vector<Candidate>& kept, const std::vector<int>& alive) {
  std::vector<Row> rows;
  for (const Candidate& each : kept) {
    rows.push_back(rows_[each.row]);
    Row& row = rows.back();
    row.pieces.push_back(each.piece);
    row.score = each.score;
    if (given_.marks && given_.marks[each.piece] >= 0) row.unmet[given_.marks[each.piece]]--;
  }
  if (!alive.empty() && alive.size() < alive_.size()) {
    size_t of_source = stack_.source_floats(given_.tokens), of_bias = stack_.padded(given_.tokens);
    std::vector<float> source, bias;
    for (int number : alive) {
      const float* own = given_.source + number * of_source;
      source.insert(source.end(), own, own + of_source);
      bias.insert(bias.end(), given_.bias + number * of_bias, given_.bias + (number + 1) * of_bias);
    }
    source_.swap(source);
    bias_.swap(bias);
    source_at_ = source_.data();
    bias_at_ = bias_.data();
  }
  rows_.swap(rows);
  alive_ = alive;
}

void Beam::give_back() const {
  for (int sentence = 0; sentence < given_.sentences; sentence++) {
    for (int rank = 0; rank < given_.best; rank++) {
      size_t at = (size_t)sentence * given_.best + rank;
      given_.lengths[at] = 0;
      if (rank >= (int)finished_[sentence].size()) continue;
      const Finished& one = finished_[sentence][rank];
      std::copy(one.pieces.begin(), one.pieces.end(), given_.pieces + at * given_.longest);
      given_.lengths[at] = (int32_t)one.pieces.size();
      given_.log_probs[at] = one.log_prob;
      given_.scores[at] = one.score;
      if (given_.sees) std::copy(one.seen.begin(), one.seen.end(), given_.seen + at * given_.tokens);
    }
  }
}

}  // namespace

void search(const Stack& stack, const Search& given, CancellationCheck& check) { Beam(stack, given, check).run(); }

}  // namespace anaphora
