"""The native library: encoders, decoders and memories in C++ with 8-bit products. Each call uses one thread.

`build.py` compiles `source/`, `library.py` finds and tests the library, and the other modules call it.
Without the library, torch computes everything. The modules may import `nn`.
"""
