"""Load models of other toolkits into PyTorch modules of this package.

Memories, search and explanations need the decoder's states and distribution at every step, which the
toolkits' own programs do not provide. Model files are untrusted: no code in them is run, their sizes are
limited, and unknown settings are refused.
"""
