// Which pieces make, or end, a word that is in no list (`search/out_of_vocabulary.py`).
#pragma once

#include <stdint.h>

#include <string>
#include <string_view>
#include <vector>

namespace anaphora {

// Texts in UTF-8, one behind the other; `starts` has one more than there are texts.
struct Texts {
  const char* bytes;
  const int32_t* starts;
  int count;

  std::string_view operator[](int at) const {
    return {bytes + starts[at], (size_t)(starts[at + 1] - starts[at])};
  }
};

// How the pieces of a vocabulary are spelled, in lower case and without the space in front.
struct SpelledPieces {
  Texts texts;
  Texts ends;             // of each piece what of its end belongs to a word that goes on behind it
  const int32_t* heads;   // of each piece the bytes of the letters that it begins with
  const uint8_t* spaced;  // whether a space is in front
};

// A word that a hypothesis has begun with its last pieces.
struct BegunWord {
  std::string letters;  // behind its last hyphen
  bool is_unknown;      // no known word begins so
  bool may_end;         // it is a word as it stands
};

// Of one sentence, whose lists have words in lower case and in the order of their bytes.
class OutOfVocabularyPenalty {
 public:
  OutOfVocabularyPenalty(const SpelledPieces& spelled, const Texts* lists, int count)
      : spelled_(spelled), lists_(lists), count_(count) {}

  BegunWord begun(const std::vector<int32_t>& pieces) const;
  // Whether a piece behind a begun word is penalised.
  bool is_penalised(int piece, const BegunWord& begun) const;

 private:
  std::string compound(const std::vector<int32_t>& pieces) const;
  bool has(std::string_view word) const;
  bool starts_known_word(std::string_view letters, bool is_open) const;
  bool is_incomplete(std::string_view compound) const;

  const SpelledPieces& spelled_;
  const Texts* lists_;
  int count_;
};

}  // namespace anaphora
