"""The 4-bit file of the pretrained encoder."""

from __future__ import annotations

from pathlib import Path

import pytest

from anaphora_nmt.errors import ModelFileError
from anaphora_nmt.nn.pretrained import read_pretrained


def test_another_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "other.bin").write_bytes(b"E5S1" + bytes(20))
    with pytest.raises(ModelFileError, match="not a readable"):
        read_pretrained(tmp_path / "other.bin")
