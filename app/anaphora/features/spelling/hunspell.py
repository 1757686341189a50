"""Reads Hunspell dictionaries with spylls."""

from __future__ import annotations

import io
from pathlib import Path

from spylls.hunspell import Dictionary
from spylls.hunspell.readers import read_aff, read_dic
from spylls.hunspell.readers.file_reader import FileReader


class _ClosedReader(FileReader):
    """Reads and closes a file; the library's own reader leaves it open."""

    def _open(self, path: str, encoding: str) -> io.StringIO:
        return io.StringIO(Path(path).read_bytes().decode(encoding, "surrogateescape"), newline=None)


def read_hunspell(path: Path) -> Dictionary:
    """Read the dictionary in the two files `path`.aff and `path`.dic.

    Raises:
        OSError, ValueError: a file cannot be read or is damaged.
    """
    aff, context = read_aff(_ClosedReader(f"{path}.aff"))
    return Dictionary(aff, read_dic(_ClosedReader(f"{path}.dic", context.encoding), aff=aff, context=context))
