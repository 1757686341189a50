"""The native library: encoders, decoders and memories in C++ with 8-bit products. Each call uses one thread.

Without the library, torch computes everything. The modules may import `nn`.
"""
