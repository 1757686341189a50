// A cache of the steps of one sentence's hypotheses, which other searches of the same sentence use.
#pragma once

#include <stdint.h>

#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "stack.h"

namespace anaphora {

constexpr int MOST_PIECES = 20000;  // maximum size of a cached distribution

// One step: the decoder's results after a hypothesis' last piece, before any memory changes them.
struct Node {
  std::vector<float> state, context, shown, cells;
  std::vector<float> log_probs;  // of all pieces; empty: not cached
};

class Trace {
 public:
  // `count`: tokens of the source; `most`: maximum size in floats.
  Trace(const Stack& given, int count, size_t most) : stack(given), tokens(count), most_(most) {}

  const Stack& stack;
  const int tokens;  // number of tokens of the source
  std::mutex mutex;  // locked during a search
  std::vector<Node> nodes;
  // Keys and values, [layers][capacity][2 D]; a node and its entry have the same number.
  std::vector<float> cache;
  size_t capacity = 0;

  // The step after a node (-1: the beginning) with a piece; -1 if it is not cached.
  int find(int node, int64_t piece) const {
    auto place = places_.find(key(node, piece));
    return place == places_.end() ? -1 : place->second;
  }
  // Appends a step after a node, and returns its number.
  int add(int node, int64_t piece, Node&& step) {
    nodes.push_back(std::move(step));
    int number = (int)nodes.size() - 1;
    places_.emplace(key(node, piece), number);
    return number;
  }
  // True if the size allows that many more steps.
  bool takes(size_t steps) const { return floats(steps) <= most_; }
  // Enlarges the cache for that many more steps if needed.
  void make_room(size_t steps);
  // Caches a step's distribution if the size allows it. Distributions get at most half of the size, as steps save more.
  void keep(int node, const float* log_probs, size_t pieces);

 private:
  // The size in floats after that many more steps.
  size_t floats(size_t steps) const;
  static uint64_t key(int node, int64_t piece) { return (uint64_t)(node + 1) << 32 | (uint64_t)piece; }
  std::unordered_map<uint64_t, int> places_;
  const size_t most_;
  size_t distributed_ = 0;  // size of the distributions in floats
};

}  // namespace anaphora
