"""The native library: encoder, decoder and memory in C++ with their products in 8 bits, one thread each call.

`source/` is what it is built of (`build.py`), `library.py` finds and tests it, the rest calls it. Without it
everything runs on torch's own kernels. It may import `nn`.
"""
