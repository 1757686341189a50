"""What is asked of the C library about memory."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

ARENAS_OF_EIGHT_THREADS = """
import ctypes, os, re, tempfile, threading
from anaphora_text.freed_memory import share_arenas
if {shares}:
    share_arenas()
library = ctypes.CDLL(None)
library.malloc.restype = ctypes.c_void_p
begin = threading.Barrier(9)
def allocate():
    begin.wait()
    library.malloc(ctypes.c_size_t(100_000))
    begin.wait()
for _ in range(8):
    threading.Thread(target=allocate, daemon=True).start()
begin.wait()
begin.wait()
library.fopen.restype = ctypes.c_void_p
with tempfile.NamedTemporaryFile() as said:
    file = ctypes.c_void_p(library.fopen(said.name.encode(), b"w"))
    library.malloc_info(0, file)
    library.fclose(file)
    print(len(re.findall(rb"<heap nr=", said.read())), flush=True)
os._exit(0)
"""


def arenas(shares: bool) -> int:
    program = ARENAS_OF_EIGHT_THREADS.format(shares=shares)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return int(done.stdout)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another C library")
def test_threads_share_arenas() -> None:
    assert arenas(True) <= 2 < arenas(False)
