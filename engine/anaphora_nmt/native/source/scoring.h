// Layers in single precision, where 8 bits would save little or be too inexact; a part of kernels.cpp.

template <int height>
INLINE void dense_rows(const float* weights, const float* biases, int out, int in, const float* rows, float* found) {
  for (int place = 0; place < out; place++) {
    const float* own = weights + (size_t)place * in;
    floats totals[height];
    for (int row = 0; row < height; row++) totals[row] = floats{};
    for (int at = 0; at < in; at += WIDTH) {
      floats weight = load(own + at);
      for (int row = 0; row < height; row++) totals[row] += load(rows + (size_t)row * in + at) * weight;
    }
    for (int row = 0; row < height; row++) found[(size_t)row * out + place] = biases[place] + sum(totals[row]);
  }
}

// See `Kernels::dense`.
void dense(const float* weights, const float* biases, int out, int in, const float* rows, int count, float* found) {
  int row = 0;
  for (; row + 5 <= count; row += 5)
    dense_rows<5>(weights, biases, out, in, rows + (size_t)row * in, found + (size_t)row * out);
  for (; row < count; row++)
    dense_rows<1>(weights, biases, out, in, rows + (size_t)row * in, found + (size_t)row * out);
}

// Adds to the scores of `height` rows from their first layers after the ReLU, [height][first].
template <int height, int vectors>
INLINE void score_part(const HiddenScores& given, const float* inputs, int from, float* scores) {
  floats sums[height][vectors];
  for (int row = 0; row < height; row++)
    for (int each = 0; each < vectors; each++) sums[row][each] = load(given.hidden_biases + from + each * WIDTH);
  const float* weights = given.hidden_weights + from;
  for (int at = 0; at < given.first; at++, weights += given.second) {
    floats own[vectors];
    for (int each = 0; each < vectors; each++) own[each] = load(weights + each * WIDTH);
    for (int row = 0; row < height; row++) {
      floats input = all(inputs[(size_t)row * given.first + at]);
      for (int each = 0; each < vectors; each++) sums[row][each] += input * own[each];
    }
  }
  for (int row = 0; row < height; row++) {
    floats total = floats{};
    for (int each = 0; each < vectors; each++)
      total += larger(sums[row][each], floats{}) * load(given.output_weights + from + each * WIDTH);
    scores[row] += sum(total);
  }
}

template <int height>
INLINE void score_rows(const HiddenScores& given, int row) {
  for (int each = 0; each < height; each++) {
    const float* own = given.shares ? given.shares + (size_t)(row + each) * given.first : nullptr;
    for (int at = 0; at < given.first; at += WIDTH) {
      floats value = load(given.step + at);
      if (own) value += load(own + at);
      store(given.scratch + (size_t)each * given.first + at, larger(value, floats{}));
    }
    given.out[row + each] = 0;
  }
  int from = 0;
  for (; from + 2 * WIDTH <= given.second; from += 2 * WIDTH)
    score_part<height, 2>(given, given.scratch, from, given.out + row);
  if (from < given.second) score_part<height, 1>(given, given.scratch, from, given.out + row);
}

void score(const HiddenScores& given) {
  int row = 0;
  for (; row + 4 <= given.rows; row += 4) score_rows<4>(given, row);
  for (; row < given.rows; row++) score_rows<1>(given, row);
}
