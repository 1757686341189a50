"""The sources that Anaphora knows, in the order in which they are shown."""

from __future__ import annotations

from anaphora.model_downloads.sources.hugging_face import Nllb, OpusMT
from anaphora.model_downloads.sources.mozilla import Mozilla
from anaphora.model_downloads.sources.source import Source

SOURCES: tuple[Source, ...] = (Mozilla(), OpusMT(), Nllb())
