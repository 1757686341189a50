// Which pieces make or end a word that nobody knows (`search/known_words.py`).
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
struct Spelled {
  Texts texts;
  Texts ends;             // of each piece what of its end belongs to a word that goes on behind it
  const int32_t* heads;   // of each piece the bytes of the letters that it begins with
  const uint8_t* spaced;  // whether a space is in front
};

// A word that a hypothesis has begun with its last pieces.
struct Begun {
  std::string letters;  // behind its last hyphen
  bool is_lost;         // no known word begins so
  bool is_whole;        // it may end so
};

// The words of one sentence: lists of words in lower case and in the order of their bytes.
class KnownWords {
 public:
  KnownWords(const Spelled& spelled, const Texts* lists, int count) : spelled_(spelled), lists_(lists), count_(count) {}

  Begun begun(const std::vector<int32_t>& pieces) const;
  // Whether a piece behind a begun word pays.
  bool pays(int piece, const Begun& begun) const;

 private:
  std::string compound(const std::vector<int32_t>& pieces) const;
  bool has(std::string_view word) const;
  bool leads(std::string_view letters, bool is_open) const;
  bool is_half(std::string_view compound) const;

  const Spelled& spelled_;
  const Texts* lists_;
  int count_;
};

}  // namespace anaphora
