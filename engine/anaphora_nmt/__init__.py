"""Document-level neural machine translation with memories: a library and the command `anaphora-nmt`.

The app imports only its `api`, `types` and `errors`; the engine imports nothing from the app or Qt.
"""

import atexit
import gc
import os

# Without the native library, oneDNN makes a kernel for each sentence length and caches up to 1,024 kernels of
# half a megabyte each. torch and oneDNN read their cache sizes only once, at the first matrix product.
for _cache in ("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "LRU_CACHE_CAPACITY"):
    os.environ.setdefault(_cache, "16")
# At exit, Python would search torch's half million objects for garbage, which takes 0.4 s.
atexit.register(gc.freeze)
