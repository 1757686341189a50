"""Arrays by name in one `.npz` file."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from anaphora_nmt.errors import CorpusError


def write_arrays(path: Path, **arrays: np.ndarray) -> None:
    """Write arrays; the file gets its name when it is whole."""
    whole = path.with_name(path.name + ".part")
    with whole.open("wb") as file:
        np.savez(file, allow_pickle=False, **arrays)
    whole.replace(path)


def read_arrays(path: Path, names: Sequence[str]) -> list[np.ndarray]:
    """The arrays of these names. CorpusError: the file is missing, damaged, or has not all of them."""
    try:
        with path.open("rb") as opened, np.load(opened) as file:
            return [file[name] for name in names]
    except (OSError, EOFError, BadZipFile, zlib.error, KeyError, TypeError, ValueError) as error:
        raise CorpusError(f"{path} is not a prepared corpus ({error}); run `anaphora-nmt prepare`") from error
