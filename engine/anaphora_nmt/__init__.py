"""Document-level neural machine translation with memories, as a library and as `anaphora-nmt`.

The app imports only its `api`, `types` and `errors`; it imports nothing from the app or Qt.
"""

import atexit
import gc
import os

# Without the native library oneDNN makes a kernel for each length of a sentence, and torch keeps 1,024 of
# them, half a megabyte each; it reads these sizes of its two caches once, at its first product.
for _cache in ("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "LRU_CACHE_CAPACITY"):
    os.environ.setdefault(_cache, "16")
# Objects that live as long as the process are not searched for garbage: half a million of torch cost 0.4 s.
atexit.register(gc.freeze)
