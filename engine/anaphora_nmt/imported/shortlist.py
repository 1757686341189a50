"""The lexical shortlist that comes with Marian's students (`lex.50.50.….s2t.bin`), under our ids.

Marian's binary form, in little-endian numbers: a mark, a checksum, how many of the most frequent target
pieces are always looked at, how many of each source piece at most, how many starts and how many pieces
follow; the starts of the source pieces' lists (64 bits each, one more than there are pieces), and the lists
(32 bits each).
"""

from __future__ import annotations

import struct

import numpy as np

from anaphora_nmt.imported.files import ModelFiles, damaged
from anaphora_nmt.imported.numbering import Numbering
from anaphora_nmt.text.shortlist import Shortlist
from anaphora_nmt.text.vocabulary import EOS, UNK

_MARK = struct.pack("<Q", 0xF11A48D5013417F5)
_HEAD = struct.Struct("<6Q")


def read_shortlist(
    files: ModelFiles, source: Numbering, target: Numbering, is_shared: bool
) -> Shortlist | None:
    """A folder's shortlist; None: it has none in this form.

    Args:
        is_shared: source and target have the same pieces.
    Raises:
        ModelFileError: damaged, or of another model.
    """
    names = [name for name in files.names() if name.endswith(".bin") and files.start(name, 8) == _MARK]
    if not names:
        return None
    path, data = files.folder / names[0], files.read(names[0])
    if len(data) < _HEAD.size:
        raise damaged(path, "it is cut off")
    _, _, first, _, starts_count, pieces_count = _HEAD.unpack_from(data)
    if len(data) != _HEAD.size + 8 * starts_count + 4 * pieces_count:
        raise damaged(path, f"{starts_count} starts and {pieces_count} pieces do not fit its length")
    starts = np.frombuffer(data, "<u8", starts_count, _HEAD.size).astype(np.int64)
    pieces = np.frombuffer(data, "<u4", pieces_count, _HEAD.size + 8 * starts_count)
    ends = starts_count == source.size + 1 and (starts[0], starts[-1]) == (0, pieces_count)
    if not ends or (np.diff(starts) < 0).any() or (pieces_count and int(pieces.max()) >= target.size):
        raise damaged(path, "it belongs to another model")
    theirs = np.full(target.size, UNK, np.int64)  # our id of each of the toolkit's
    for number, own in target.own().items():
        theirs[number] = own
    always = np.concatenate(([EOS, UNK], theirs[: min(first, target.size)]))
    order = np.array(source.order)
    lengths = np.where(order < 0, 0, (starts[1:] - starts[:-1])[order])
    own_starts = np.concatenate(([0], np.cumsum(lengths)))
    places = np.arange(own_starts[-1]) - np.repeat(own_starts[:-1] - starts[:-1][order], lengths)
    return Shortlist(always, own_starts, theirs[pieces[places]], is_shared)
