"""The native library: encoder, decoder and memory in C++ with 8-bit products, one thread for each call.

`build.py` compiles `source/`, `library.py` finds and tests it, the rest calls it. Without it
everything runs on torch's own kernels. It may import `nn`.
"""
