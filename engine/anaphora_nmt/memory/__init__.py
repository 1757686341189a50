"""Document memories: data from earlier sentences, which a model reads while it translates.

A document's memory grows sentence by sentence. `MemorySnapshot.after` adds one finished sentence
(`Contribution`) to the contents of every memory. `DocumentMemory` adds the sentences in document order, and
each segment reads the snapshot of the segments before it. The model (`models.memory_augmented`) applies the
memories in turn: each memory may change the state before the output layer, and the distribution after it.

To add a memory, write its module, add its class to `registry.MEMORIES` at its place in the order of fusion,
and test its equations and its `without` against slow, literal versions (tests/engine/memory). No other module
refers to the new module. tests/app/support/echo_memory.py is a complete example. The new module has:

- a configuration, a frozen dataclass, which `MemoryConfig` reads and writes under the memory's name;
- contents, an immutable `Contents`, whose `after` writes one finished sentence;
- gathered tensors: a `DecoderState` with a row for each hypothesis if the hypotheses' own words enter the
  memory, otherwise a `SentenceState` with a row for each sentence;
- a `Reading`: the memory's effect on some steps; its `without` gives the exact effect without some entries;
- a `Memory`, which combines these parts: `read` defines its effect on steps. If the hypotheses' own words
  enter the memory, `step` is overridden. `ready` and `native` make reading faster; test_every_memory.py
  compares their results with those of `read`.

The second pass of a training run (`training/memory.py`) trains the memory's parameters, which are saved under
`saved_as`; `fit` returns a configuration with fitted constants. problems_zh_CN.ts in the resources translates
the texts for display.
"""
