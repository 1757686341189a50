// The largest values of a row, and the reading of confirmed text; a part of kernels.cpp.

constexpr float HIDDEN = -1e4f;  // far below any cosine
constexpr int MOST_DEEP = 64;    // maximum number of steps that shift a state
constexpr float NOTHING = 1e-12f;  // a probability that no search would notice

int largest(const float* row, int count, int wanted, float* values, int32_t* places) {
  constexpr int some = 4 * WIDTH;
  int found = 0;
  float least = -__builtin_inff();  // the smallest value in the result
  for (int first = 0; first < count; first += some) {
    int end = first + some < count ? first + some : count;
    if (found == wanted && end - first == some) {
      const float* own = row + first;
      floats one = larger(load(own), load(own + WIDTH)), two = larger(load(own + 2 * WIDTH), load(own + 3 * WIDTH));
      if (!(largest_of(larger(one, two)) > least)) continue;
    }
    for (int at = first; at < end; at++) {
      float value = row[at];
      if (found == wanted && !(value > least)) continue;
      int place = found < wanted ? found++ : wanted - 1;
      for (; place > 0 && values[place - 1] < value; place--) {
        values[place] = values[place - 1];
        places[place] = places[place - 1];
      }
      values[place] = value;
      places[place] = at;
      least = values[found - 1];
    }
  }
  return found;
}

// Converts finite numbers.
INLINE floats from_float16(const uint16_t* from) {
#if defined(__AVX512F__)
  return (floats)_mm512_cvtph_ps(_mm256_loadu_si256((const __m256i*)from));
#elif defined(__F16C__)
  return (floats)_mm256_cvtph_ps(_mm_loadu_si128((const __m128i*)from));
#else
  typedef uint16_t halves __attribute__((vector_size(2 * WIDTH)));
  halves values;
  memcpy(&values, from, sizeof(values));
  ints bits = __builtin_convertvector(values, ints);
  floats size = (floats)((bits & 0x7fff) << 13) * 5.192296858534828e33f;  // 2^112: the other bias
  return (floats)((ints)size | ((bits & 0x8000) << 16));
#endif
}

INLINE float cosine(const float* direction, const uint16_t* step, int width) {
  floats total = floats{};
  for (int at = 0; at < width; at += WIDTH) total += load(direction + at) * from_float16(step + at);
  return sum(total);
}

// Scales `rows` vectors to norm `share`; the results are `stride` floats apart.
INLINE void direct(const float* vectors, int width, int rows, float share, float* out, size_t stride) {
  for (int row = 0; row < rows; row++) {
    const float* own = vectors + (size_t)row * width;
    floats squares = floats{};
    for (int at = 0; at < width; at += WIDTH) squares += load(own + at) * load(own + at);
    float scale = share / __builtin_fmaxf(__builtin_sqrtf(sum(squares)), 1e-12f);
    for (int at = 0; at < width; at += WIDTH) store(out + row * stride + at, load(own + at) * scale);
  }
}

constexpr int32_t NEVER_A_PIECE = -2;

// Ids of pieces, in 32 bits.
INLINE ints load_pieces(const int64_t* from, int count) {
  int32_t found[WIDTH];
  if (count == WIDTH)
    for (int at = 0; at < WIDTH; at++) found[at] = (int32_t)from[at];
  else
    for (int at = 0; at < WIDTH; at++) found[at] = at < count ? (int32_t)from[at] : NEVER_A_PIECE;
  return *(const loose_ints*)found;
}

INLINE bool any_of(ints mask) {
  int32_t found = 0;
  for (int at = 0; at < WIDTH; at++) found |= mask[at];
  return found != 0;
}

// Similarities of WIDTH slots to `rows` steps of `width` floats.
template <int rows>
INLINE void products(const uint16_t* keys, const float* steps, int width, floats* found) {
  floats one[rows], other[rows];
  for (int row = 0; row < rows; row++) one[row] = other[row] = floats{};
  for (int at = 0; at < width; at += 2, keys += 2 * LANES) {
    floats here = from_float16(keys), there = from_float16(keys + LANES);
    for (int row = 0; row < rows; row++) {
      one[row] += here * steps[(size_t)row * width + at];
      other[row] += there * steps[(size_t)row * width + at + 1];
    }
  }
  for (int row = 0; row < rows; row++) found[row] = one[row] + other[row];
}

template <int rows>
INLINE void compare_rows(const Slots& slots, const int64_t* previous, const float* steps, float* alike) {
  for (int first = 0; first < slots.count; first += WIDTH) {
    int left = slots.count - first < WIDTH ? slots.count - first : WIDTH;
    ints before = load_pieces(slots.before + first, left), begins = before == (int32_t)ANY, any = begins;
    for (int row = 0; row < rows; row++) any |= before == (int32_t)previous[row];
    floats found[rows];
    bool some = any_of(any);
    const uint16_t* keys = slots.keys + (size_t)(first / LANES * LANES) * slots.key_width + first % LANES;
    if (some) products<rows>(keys, steps, slots.key_width, found);
    for (int row = 0; row < rows; row++) {
      floats own = all(HIDDEN);
      if (some) {
        floats odds = floats{};
        if (slots.log_weights) {
          if (left == WIDTH)
            odds = load(slots.log_weights + first) * slots.temperature;
          else
            for (int at = 0; at < left; at++) odds[at] = slots.log_weights[first + at] * slots.temperature;
        }
        own = (begins | (before == (int32_t)previous[row])) ? found[row] + odds : own;
      }
      float* to = alike + (size_t)row * slots.count + first;
      if (left == WIDTH)
        store(to, own);
      else
        for (int at = 0; at < left; at++) to[at] = own[at];
    }
  }
}

// Similarities of the steps [rows][key_width] to each slot, [rows][N].
INLINE void compare(const Slots& slots, const Reading& given, const float* steps, float* alike) {
  size_t width = slots.key_width, count = slots.count;
  int row = 0;
  for (; row + 5 <= given.rows; row += 5)
    compare_rows<5>(slots, given.previous + row, steps + row * width, alike + row * count);
  for (; row < given.rows; row++)
    compare_rows<1>(slots, given.previous + row, steps + row * width, alike + row * count);
}

// Adds η times the weighted values of the most similar steps to `shift`; see `move_states`.
INLINE void move(const Slots& slots, float* alike, float* shift) {
  if (slots.still)
    for (int slot = 0; slot < slots.count; slot++)
      if (slots.still[slot]) alike[slot] = HIDDEN;
  float best[MOST_DEEP], scores[MOST_DEEP];
  int32_t places[MOST_DEEP];
  int wanted = slots.deep_steps < MOST_DEEP ? slots.deep_steps : MOST_DEEP;
  int found = largest(alike, slots.count, wanted, best, places);
  float left = 1 - slots.temperature / slots.deep_temperature, most = 0, total = 0;
  for (int each = 0; each < found; each++) {
    float weight = slots.log_weights ? left * slots.log_weights[places[each]] : 0;
    scores[each] = (best[each] - slots.deep_threshold) / slots.deep_temperature + weight;
    most = __builtin_fmaxf(most, scores[each]);
  }
  for (int each = 0; each < found; each++) total += scores[each] = one_exponential(scores[each] - most);
  total += one_exponential(-most);  // the weight of no shift
  for (int each = 0; each < found; each++) {
    if (!(best[each] > slots.threshold)) continue;
    float weight = slots.deep_strength * scores[each] / total;
    const uint16_t* value = slots.values + (size_t)places[each] * slots.width;
    for (int at = 0; at < slots.width; at += WIDTH)
      store(shift + at, load(shift + at) + weight * from_float16(value + at));
  }
}

// The softmax of similarities, in place.
INLINE void share_out(float* alike, int count, float temperature, float best) {
  float scale = 1 / temperature, total = 0;
  int at = 0;
  floats totals = floats{};
  for (; at + WIDTH <= count; at += WIDTH) {
    floats each = exponential((load(alike + at) - best) * scale);
    store(alike + at, each);
    totals += each;
  }
  for (; at < count; at++) total += alike[at] = one_exponential((alike[at] - best) * scale);
  total += sum(totals);
  for (at = 0; at < count; at++) alike[at] /= total;
}

bool read(const Slots& slots, const Reading& given) {
  size_t context = slots.context, width = slots.width, count = slots.count, key_width = slots.key_width;
  float* steps = given.scratch;
  float* copies = steps + given.rows * key_width;
  float share = slots.context_share;
  if (key_width > width) direct(given.context, slots.context, given.rows, share, steps, key_width);
  direct(given.state, slots.width, given.rows, 1 - share, steps + (key_width - width), key_width);
  compare(slots, given, steps, given.shares);
  bool any = false;
  for (int row = 0; row < given.rows; row++) {
    float* alike = given.shares + row * count;
    float best;
    int32_t place;
    largest(alike, slots.count, 1, &best, &place);
    given.weight[row] = 0;
    if (given.shift) memset(given.shift + row * width, 0, width * sizeof(float));
    bool near = best > slots.threshold;
    any |= near;
    if (near) {
      const uint16_t* step = slots.steps + (size_t)place * (context + width);
      direct(given.context + row * context, slots.context, 1, 1, copies, context);
      float contexts = cosine(copies, step, slots.context);
      direct(given.state + row * width, slots.width, 1, 1, copies, width);
      float states = cosine(copies, step + context, slots.width);
      float logit = slots.gate_bias + slots.gate_context * contexts + slots.gate_state * states;
      if (slots.log_weights) logit += slots.log_weights[place];
      given.weight[row] = 1 / (1 + one_exponential(-logit));
      if (given.shift && slots.values) {
        memcpy(copies, alike, count * sizeof(float));
        move(slots, copies, given.shift + row * width);
      }
    }
    share_out(alike, slots.count, slots.temperature, best);
  }
  return any;
}

// The sum of the shares of slots inside a word.
INLINE float inside_share(const Blend& given) {
  floats lost = floats{};
  int slot = 0;
  for (; slot + WIDTH <= given.count; slot += WIDTH) {
    ints begins = load_pieces(given.before + slot, WIDTH) == (int32_t)ANY;
    lost += begins ? floats{} : load(given.shares + slot);
  }
  float found = sum(lost);
  for (; slot < given.count; slot++)
    if (given.before[slot] != ANY) found += given.shares[slot];
  return found;
}

// See `blend_word_probs`. Pieces that are not offered lose a constant share, so a constant is added to their logarithm.
void blend(const Blend& given) {
  float of_words = __builtin_logf(1 - given.weight), mass = 0;
  float of_others = __builtin_logf(1 - given.weight * inside_share(given));
  floats masses = floats{};
  int at = 0;
  for (; at + WIDTH <= given.pieces; at += WIDTH) {
    floats own = load(given.log_probs + at), is_word = load(given.word_pieces + at);
    masses += exponential(own) * is_word;
    store(given.out + at, own + (is_word > floats{} ? all(of_words) : all(of_others)));
  }
  for (; at < given.pieces; at++) {
    mass += one_exponential(given.log_probs[at]) * given.word_pieces[at];
    given.out[at] = given.log_probs[at] + (given.word_pieces[at] > 0 ? of_words : of_others);
  }
  mass += sum(masses);
  // Most slots are not similar enough to offer anything, so WIDTH of them are skipped together.
  float least = NOTHING / given.weight;
  auto offered = [&](int slot) {
    return given.weight * given.shares[slot] * (given.before[slot] == ANY ? mass : 1);
  };
  auto each = [&](auto&& act) {
    for (int first = 0; first < given.count; first += WIDTH) {
      int end = first + WIDTH < given.count ? first + WIDTH : given.count;
      if (end - first == WIDTH && !(largest_of(load(given.shares + first)) > least)) continue;
      for (int slot = first; slot < end; slot++) act(slot);
    }
  };
  each([&](int slot) {
    float found = offered(slot);
    if (found > NOTHING) given.scratch[given.slots[slot]] += found;
  });
  each([&](int slot) {
    float& added = given.scratch[given.slots[slot]];
    if (added == 0) return;
    float& out = given.out[given.slots[slot]];
    out = __builtin_logf(__builtin_expf(out) + added);
    added = 0;
  });
}
