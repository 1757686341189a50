#include "out_of_vocabulary.h"

#include <algorithm>

namespace anaphora {

constexpr int LOOK_BACK = 12;  // maximum number of pieces of an unfinished word
constexpr int ENDING = 3;      // maximum number of letters that an inflection adds

static int letters_of(std::string_view text) {
  return (int)std::count_if(text.begin(), text.end(), [](char byte) { return (byte & 0xC0) != 0x80; });
}

static bool starts_with(std::string_view text, std::string_view with) { return text.substr(0, with.size()) == with; }

// The place of the first word of a list that is not before `word` in order; the list's length without one.
static int place_of(const Texts& list, std::string_view word) {
  int low = 0, high = list.count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (list[middle] < word)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

bool OutOfVocabularyPenalty::has(std::string_view word) const {
  for (int number = 0; number < count_; number++) {
    int place = place_of(lists_[number], word);
    if (place < lists_[number].count && lists_[number][place] == word) return true;
  }
  return false;
}

// True if letters are a known word, or, with `is_open`, the beginning of one.
bool OutOfVocabularyPenalty::starts_known_word(std::string_view letters, bool is_open) const {
  if (letters_of(letters) < 2) return true;
  if (!is_open) return has(letters);
  for (int number = 0; number < count_; number++) {
    int place = place_of(lists_[number], letters);
    if (place < lists_[number].count && starts_with(lists_[number][place], letters)) return true;
  }
  return false;
}

// True if a list contains a continuation of a hyphenated word that is longer than an inflection.
bool OutOfVocabularyPenalty::is_incomplete(std::string_view compound) const {
  size_t hyphen = compound.find('-');
  if (hyphen == std::string_view::npos || hyphen + 1 == compound.size() || compound.back() == '-' || has(compound))
    return false;
  for (int number = 0; number < count_; number++) {
    int place = place_of(lists_[number], compound);
    if (place == lists_[number].count) continue;
    std::string_view longer = lists_[number][place];
    if (starts_with(longer, compound) && letters_of(longer) > letters_of(compound) + ENDING) return true;
  }
  return false;
}

std::string OutOfVocabularyPenalty::compound(const std::vector<int32_t>& pieces) const {
  std::string word;
  for (int back = 1; back <= LOOK_BACK && back <= (int)pieces.size(); back++) {
    int piece = pieces[pieces.size() - back];
    std::string_view tail = spelled_.ends[piece];
    word.insert(0, tail);
    if (spelled_.spaced[piece] || tail != spelled_.texts[piece]) break;
  }
  return word.substr(std::min(word.find_first_not_of('-'), word.size()));
}

BegunWord OutOfVocabularyPenalty::begun(const std::vector<int32_t>& pieces) const {
  std::string whole = compound(pieces), letters = whole.substr(whole.rfind('-') + 1);
  bool is_unknown = !starts_known_word(letters, true);
  bool may_end = is_unknown || (starts_known_word(letters, false) && !is_incomplete(whole));
  return {letters, is_unknown, may_end};
}

bool OutOfVocabularyPenalty::is_penalised(int piece, const BegunWord& begun) const {
  std::string_view text = spelled_.texts[piece], head = text.substr(0, spelled_.heads[piece]);
  bool is_open = head.size() == text.size(), spaced = spelled_.spaced[piece];
  if (!head.empty() && !begun.letters.empty() && !spaced)  // the piece continues the word
    return !begun.is_unknown && !starts_known_word(begun.letters + std::string(head), is_open);
  bool goes_on = !spaced && starts_with(text, "-");
  bool is_short = starts_with(text, "'") || starts_with(text, "\xE2\x80\x99");
  if (!begun.may_end && !is_short && !(goes_on && starts_known_word(begun.letters, false))) return true;
  return !starts_known_word(head, is_open);
}

}  // namespace anaphora
