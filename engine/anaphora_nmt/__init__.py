"""Document-level neural machine translation with memories, as a library and as `anaphora-nmt`.

The app imports `api`, `types` and `errors` of it and nothing else; it imports nothing of the app, nor Qt.
"""

import atexit
import gc

from anaphora_nmt.kept_kernels import keep_few_kernels

keep_few_kernels()  # torch reads it once, at its first product
# What ends with the process is not searched for garbage: half a million objects of torch are 0.4 seconds.
atexit.register(gc.freeze)
