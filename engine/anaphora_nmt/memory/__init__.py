"""Document memories: what is kept of the sentences before, and how a model reads it while it translates.

A document's memory is a fold: `MemorySnapshot.after` adds one finished sentence (`Contribution`) to the
contents of every memory, `DocumentMemory` folds them in document order from what is confirmed or drafted, and
each segment reads the snapshot of the segments before it. The model (`models.memory_augmented`) is a fold
too: each memory in turn may change the state in front of the output layer and the distribution after it. This
package imports `nn`, `text`, `config`, `types` and what is below them; models, search and training go by its
protocol.

How to add a memory
===================
It is one module, one line in the table, and a test:

    memory/NAME.py                      the module, with further ones of its own where it grows
    memory/registry.py                  its class in `MEMORIES`, at its place in the order of fusion
    tests/engine/memory/test_NAME.py    equations as transcriptions, leaving out against brute force

Nothing else has to know it by name: configuration files, model folders, `SearchOptions.memories`, commands,
training, explanations and the panels go by the table. What a reader is told of it (`title`, `share_meaning`,
titles of sections) is translated in problems_zh_CN.ts of the resources. tests/app/support/echo_memory.py is a
whole one: `echo_translator` gives it to a model, and tests/engine/memory/test_toy_memory.py tests it.

The module has:

- a configuration, a frozen dataclass. `MemoryConfig` reads and writes it under the memory's name.
- contents, an immutable `Contents`. `after` writes one finished sentence: its pieces and words, c_t and s_t
  of the steps that `Memory.steps_asked_for` names, its origin, its segment, how many sentences came before.
  `sections` shows the contents in the panels.
- held tensors: a `DecoderState`, a row for each hypothesis, where the hypotheses' own words enter the memory;
  a `SentenceState`, a row for each sentence, where they only read it. Search repeats and reorders both.
- a `Reading`: what the memory makes of one step, or of all steps of given targets. `fuse_state` acts in front
  of the output layer (then `deep` is true), `fuse_log_probs` after it; `fuse_target` is the same for given
  pieces, where that is cheaper. `without` leaves entries out, exactly, a group in each row; `attribution`
  says how strongly each column stood behind each piece. The arithmetic of interpolation stands in `fusion`.
- a `Memory`, which joins them: `empty` before the first segment; `gather` (None where nothing is held: the
  model is then the base bit for bit); `ready` for many steps; `step` and `all_steps`, which must agree; and
  `entries`, what a reader calls the columns.

Its parameters are trained by the second pass, alone and together with the others, and saved under `saved_as`.
Constants that are fitted, not trained, are what `fit` returns (`fits_constants`).
"""
