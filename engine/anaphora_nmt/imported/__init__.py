"""Load models of other toolkits into PyTorch modules of this package.

Memories, search and explanations need the decoder's states and distribution at every step, which the
toolkits' own programs do not provide. Model files are untrusted: no code in them is run, their sizes are
limited, and unknown settings are refused by name (`settings`).

    files, weight_files, settings               safe reading
    architecture, layers, model                 the Transformer and its settings
    numbering, vocabulary, languages            the toolkit's pieces under our ids
    hugging_face, marian_folder, …              one reader for each toolkit, and its helpers
    loading                                     detects the toolkit of a folder, and loads a `Bundle`
"""
