"""Load models of other toolkits into this package's modules.

The memories, search and explanation need the decoder's states and distribution at every step, which the
toolkits' own programs do not provide. Model files are untrusted: no code is run, sizes are limited, and
unknown settings are refused by name (`settings`).

    files, weight_files, settings               safe reading
    architecture, layers, model                 the Transformer and its settings
    numbering, vocabulary, languages            the toolkit's pieces under our ids
    hugging_face, marian_folder, …              one module for each toolkit, and its helpers
    loading                                     detects the toolkit of a folder and loads a `Bundle`
"""
