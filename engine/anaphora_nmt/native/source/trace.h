// The steps of one sentence's hypotheses, kept: another search of the same sentence need not compute them again.
#pragma once

#include <stdint.h>

#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "stack.h"

namespace anaphora {

constexpr int MOST_PIECES = 20000;  // of a distribution that is kept

// One step: what a hypothesis has come to with its last piece, whatever a memory makes of it.
struct Node {
  std::vector<float> state, context, shown, cells;
  std::vector<float> log_probs;  // of all pieces; empty: not known
};

class Trace {
 public:
  // `most` floats are kept.
  Trace(const Stack& given, int count, size_t most) : stack(given), tokens(count), most_(most) {}

  const Stack& stack;
  const int tokens;  // of the source
  std::mutex mutex;  // held by a search
  std::vector<Node> nodes;
  // Keys and values, [layers][capacity][2 D]; each node's entry has its number.
  std::vector<float> cache;
  size_t capacity = 0;

  // The step behind a node (-1: before the first one) with a piece; -1: it is not known.
  int find(int node, int64_t piece) const {
    auto place = places_.find(key(node, piece));
    return place == places_.end() ? -1 : place->second;
  }
  // A new step, the last one, behind a node; its number.
  int add(int node, int64_t piece, Node&& step) {
    nodes.push_back(std::move(step));
    int number = (int)nodes.size() - 1;
    places_.emplace(key(node, piece), number);
    return number;
  }
  // Whether so many steps more may be kept.
  bool takes(size_t steps) const { return floats(steps) <= most_; }
  // Room in the cache for so many steps more.
  void make_room(size_t steps);
  // Keep a step's distribution, where it may be: distributions take half of all at most, as steps save more.
  void keep(int node, const float* log_probs, size_t pieces);

 private:
  // That are kept, with so many steps more.
  size_t floats(size_t steps) const;
  static uint64_t key(int node, int64_t piece) { return (uint64_t)(node + 1) << 32 | (uint64_t)piece; }
  std::unordered_map<uint64_t, int> places_;
  const size_t most_;
  size_t distributed_ = 0;  // floats of distributions
};

}  // namespace anaphora
