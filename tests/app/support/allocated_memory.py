"""The process's memory according to glibc."""

from __future__ import annotations

import ctypes


class _Said(ctypes.Structure):
    """`struct mallinfo2`."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in (
            *("arena", "ordblks", "smblks", "hblks", "hblkhd"),
            *("usmblks", "fsmblks", "uordblks", "fordblks", "keepcost"),
        )
    ]


def allocated() -> tuple[float, float]:
    """MiB that it has handed out, and that it keeps free."""
    ask = ctypes.CDLL(None).mallinfo2
    ask.restype = _Said
    said = ask()
    return (said.uordblks + said.hblkhd) / 2**20, said.fordblks / 2**20
