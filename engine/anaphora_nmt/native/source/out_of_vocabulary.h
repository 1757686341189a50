// The penalty for pieces that begin, continue or end an unknown word (`search/out_of_vocabulary.py`).
#pragma once

#include <stdint.h>

#include <string>
#include <string_view>
#include <vector>

namespace anaphora {

// Concatenated texts in UTF-8; `starts` [count + 1] contains the start of each text and the end.
struct Texts {
  const char* bytes;
  const int32_t* starts;
  int count;

  std::string_view operator[](int at) const {
    return {bytes + starts[at], (size_t)(starts[at + 1] - starts[at])};
  }
};

// The spelling of a vocabulary's pieces, in lower case and without the leading space.
struct SpelledPieces {
  Texts texts;
  Texts ends;             // the end of each piece that belongs to a word which the next piece may continue
  const int32_t* heads;   // number of bytes of the letters at each piece's beginning
  const uint8_t* spaced;  // 1 for a piece with a leading space
};

// The unfinished word at the end of a hypothesis.
struct BegunWord {
  std::string letters;  // letters after its last hyphen
  bool is_unknown;      // no known word begins with these letters
  bool may_end;         // it is a complete word, or unknown anyway
};

// The penalty for one sentence; its word lists are in lower case and sorted by bytes.
class OutOfVocabularyPenalty {
 public:
  OutOfVocabularyPenalty(const SpelledPieces& spelled, const Texts* lists, int count)
      : spelled_(spelled), lists_(lists), count_(count) {}

  BegunWord begun(const std::vector<int32_t>& pieces) const;
  // True if a piece is penalised after an unfinished word.
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
