// Stored steps of one sentence's hypotheses: another search of the same sentence need not compute them again.
#pragma once

#include <stdint.h>

#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "stack.h"

namespace anaphora {

constexpr int MOST_PIECES = 20000;  // of a stored distribution

// One step: the state of a hypothesis after its last piece, without the effect of a memory.
struct Node {
  std::vector<float> state, context, shown, cells;
  std::vector<float> log_probs;  // of all pieces; empty: not known
};

class Trace {
 public:
  // Stores at most `most` floats.
  Trace(const Stack& given, int count, size_t most) : stack(given), tokens(count), most_(most) {}

  const Stack& stack;
  const int tokens;  // of the source
  std::mutex mutex;  // held by a search
  std::vector<Node> nodes;
  // Keys and values, [layers][capacity][2 D]; each node's entry has its number.
  std::vector<float> cache;
  size_t capacity = 0;

  // The step after a node (-1: the start) with a piece; -1 if it is unknown.
  int find(int node, int64_t piece) const {
    auto place = places_.find(key(node, piece));
    return place == places_.end() ? -1 : place->second;
  }
  // Adds a step after a node and returns its number.
  int add(int node, int64_t piece, Node&& step) {
    nodes.push_back(std::move(step));
    int number = (int)nodes.size() - 1;
    places_.emplace(key(node, piece), number);
    return number;
  }
  // True if so many more steps fit.
  bool takes(size_t steps) const { return floats(steps) <= most_; }
  // Makes room in the cache for so many more steps.
  void make_room(size_t steps);
  // Stores a step's distribution if it fits: distributions take half of all at most, as steps save more.
  void keep(int node, const float* log_probs, size_t pieces);

 private:
  // Stored floats, including so many more steps.
  size_t floats(size_t steps) const;
  static uint64_t key(int node, int64_t piece) { return (uint64_t)(node + 1) << 32 | (uint64_t)piece; }
  std::unordered_map<uint64_t, int> places_;
  const size_t most_;
  size_t distributed_ = 0;  // floats of distributions
};

}  // namespace anaphora
