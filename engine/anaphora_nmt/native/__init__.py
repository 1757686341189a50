"""The native library: encoder, decoder and memory in C++ with 8-bit products, one thread for each call.

`build.py` compiles `source/`, `library.py` finds and tests the library, and the other modules call it.
Without the library, torch computes everything. The modules may import `nn`.
"""
