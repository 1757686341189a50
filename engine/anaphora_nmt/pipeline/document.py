"""One opened document: its segments and its memory."""

from __future__ import annotations

from collections.abc import Sequence

from anaphora_nmt.config import MemoryConfig
from anaphora_nmt.errors import UnknownSegmentError
from anaphora_nmt.memory.document import DocumentMemory
from anaphora_nmt.memory.topics import Topic
from anaphora_nmt.memory.words import WordVocabulary
from anaphora_nmt.pipeline.prepared import PreparedLine, prepare_source
from anaphora_nmt.text.pieces import Pieces
from anaphora_nmt.types import SourceSegment


class OpenDocument:
    """Segments in order and the memory that they contribute to.

    Attributes:
        memory: the document's memory.
    """

    def __init__(
        self,
        name: str,
        segments: Sequence[SourceSegment],
        source: Pieces,
        config: MemoryConfig,
        vocabulary: WordVocabulary,
        topic: Topic | None,
    ) -> None:
        self._name = name
        self._texts = [segment.text for segment in segments]
        self._index = {segment.id: number for number, segment in enumerate(segments)}
        self._source = source
        ids = [segment.id for segment in segments]
        self.memory = DocumentMemory(name, ids, config, vocabulary, topic)

    def index(self, segment: str) -> int:
        """The segment's place; UnknownSegmentError where there is none."""
        if segment not in self._index:
            raise UnknownSegmentError(f"document {self._name!r} has no segment {segment!r}")
        return self._index[segment]

    def source(self, index: int) -> PreparedLine:
        """The segment's source, prepared (cheap: milliseconds; nothing is kept)."""
        return prepare_source(self._texts[index], self._source)
