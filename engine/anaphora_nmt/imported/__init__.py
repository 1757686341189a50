"""Models of other toolkits, read into modules of ours.

So the memories, search and explanation work on them as on models trained here: they need a decoder's states
and its distribution at every step, which the toolkits' own programs do not give. What is read is untrusted:
no code is run, sizes are bounded, and a setting that is not known here is refused by its name (`settings`).

    files, archives, weight_files, settings     safe reading
    architecture, layers, model                 the Transformer, by its settings
    numbering, vocabulary, languages            the toolkit's pieces under our ids
    hugging_face, marian_folder, …              one module a kind, with what it needs beside it
    loading                                     which toolkit wrote a folder, and the folder → a `Bundle`
"""
