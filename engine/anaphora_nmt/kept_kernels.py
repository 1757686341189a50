"""How much torch keeps of kernels that it has made for one shape."""

from __future__ import annotations

import os

KEPT = 16
"""Kernels that each of the two caches keeps; a search takes turns at a handful."""
CACHES = ("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "LRU_CACHE_CAPACITY")
"""What sizes oneDNN's cache, and that of the layer between torch and it."""


def keep_few_kernels() -> None:
    """Bound torch's caches of kernels, before it is used; what the environment says already counts.

    Without the native library oneDNN makes a kernel for each number of confirmed pieces and each length of a
    sentence. Both caches keep 1,024 of them, half a megabyte each: a window in which documents of
    many lengths are worked on grew by 167 MiB from the tenth to the 45th. Making one takes 0.15 ms.
    """
    for name in CACHES:
        os.environ.setdefault(name, str(KEPT))
