"""Memory settings of the C library."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

_LIBRARY = """
import ctypes, os
library = ctypes.CDLL(None)
library.malloc.restype = ctypes.c_void_p
library.malloc.argtypes = [ctypes.c_size_t]
library.free.argtypes = [ctypes.c_void_p]
library.memset.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_size_t]
def resident():
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
"""

FREED_IN_A_THREAD = """
import threading
from anaphora_text.freed_memory import release_memory, limit_free_memory
if {keeps_little}:
    limit_free_memory()
def use(size, times):
    pieces = [library.malloc(size) for _ in range(times)]
    for piece in pieces:
        library.memset(piece, 1, size)
    for piece in pieces:
        library.free(piece)
def work():
    use(30 * 2**20, 1)
    before = resident()
    use(900 * 2**10, 40)
    release_memory()
    print((resident() - before) // 2**20, flush=True)
thread = threading.Thread(target=work)
thread.start()
thread.join()
os._exit(0)
"""


def printed_by(program: str) -> int:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return int(done.stdout)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another C library")
def test_memory_freed_by_thread_is_returned() -> None:
    """Without `limit_free_memory`, memory at the end of an arena is kept: 35 MiB here."""
    assert printed_by(_LIBRARY + FREED_IN_A_THREAD.format(keeps_little=True)) <= 3
    assert printed_by(_LIBRARY + FREED_IN_A_THREAD.format(keeps_little=False)) > 20
