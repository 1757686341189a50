"""Document memories: what is kept of the sentences before, and how a model reads it while it translates.

A document's memory is a fold: `MemorySnapshot.after` adds one finished sentence (`Contribution`) to the
contents of every memory, `DocumentMemory` folds them in document order, and each segment reads the snapshot
of the segments before it. The model (`models.memory_augmented`) is a fold too: each memory in turn may change
the state in front of the output layer and the distribution after it.

To add a memory, write its module, name its class in `registry.MEMORIES` at its place in the order of fusion,
and test it (tests/engine/memory: equations as transcriptions, leaving out against brute force). Nothing else
knows it by name. tests/app/support/echo_memory.py is a whole one. The module has:

- a configuration, a frozen dataclass, which `MemoryConfig` reads and writes under the memory's name;
- contents, an immutable `Contents`, whose `after` writes one finished sentence;
- held tensors: a `DecoderState`, a row for each hypothesis, where the hypotheses' own words enter the memory,
  else a `SentenceState`, a row for each sentence;
- a `Reading`: what the memory makes of steps; `without` leaves entries out exactly (see `fusion`);
- a `Memory`, which joins them: `read` defines its effect on steps. If the hypotheses' own words enter
  it, it has a separate `step`; `ready` and `native` may be quicker. test_every_memory.py compares them.

Its parameters are trained by the second pass and saved under `saved_as`; `fit` returns its fitted
constants. Its visible texts are translated in problems_zh_CN.ts of the resources.
"""
