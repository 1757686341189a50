"""A toolkit's vocabulary behind the interface of ours: sentencepiece cuts, a table gives the numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from anaphora_nmt.text.protect import PLACEHOLDERS
from anaphora_nmt.text.vocabulary import EOS, UNK, Vocabulary

_SPACE = "▁"
_BYTE = re.compile("<0x[0-9A-F]{2}>")


class ImportedVocabulary(Vocabulary):
    """Pieces of a sentencepiece model, numbered by a table of their own, without placeholders.

    A piece that sentencepiece does not know may still be in the table, as another side's is.
    """

    def __init__(
        self,
        serialized: bytes,
        pieces: Sequence[str],
        before: tuple[int, ...] = (),
        silent: Iterable[int] = (),
        ends: bool = True,
    ) -> None:
        """What the toolkit says of it.

        Args:
            serialized: the sentencepiece model.
            pieces: in our order (`Numbering`).
            before: what a sentence that is encoded begins with, such as a target language.
            silent: ids that no text is made of, besides the special ones.
            ends: a sentence that is encoded ends with the end mark.
        """
        super().__init__(serialized)
        self.placeholder_ids = tuple(() for _ in PLACEHOLDERS)
        self.before = before
        self.after = (EOS,) if ends else ()
        self.pieces = tuple(pieces)
        self._own = {piece: number for number, piece in enumerate(self.pieces) if number > UNK}
        self._silent = {*range(UNK + 1), *before, *silent}

    def encode(self, text: str) -> list[int]:
        return [self._own.get(piece, UNK) for piece in self._processor.EncodeAsPieces(text)]

    def encode_with_spans(self, text: str) -> tuple[list[int], list[tuple[int, int]]]:
        mapping = self._processor.Encode(text, return_type="offset_mapping")
        ids = [self._own.get(piece, UNK) for piece in mapping["pieces"]]
        return ids, [(int(start), int(end)) for start, end in mapping["offsets"]]

    def decode(self, ids: Iterable[int]) -> str:
        pieces = [self.pieces[int(number)] for number in ids if int(number) not in self._silent]
        return str(self._processor.DecodePieces(pieces)).replace(_SPACE, " ").strip()

    def written(self) -> list[str]:
        return [
            "" if number in self._silent or _BYTE.fullmatch(piece) else piece
            for number, piece in enumerate(self.pieces)
        ]
