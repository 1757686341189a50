"""Writing of files in tests, with targets by segment id."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from anaphora.core.language_pair import CHINESE_TO_ENGLISH, LanguagePair
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.formats.base.format import ReadOptions, UnknownSegmentsError
from anaphora.formats.base.segments import segments_of
from anaphora.formats.registry import FORMATS, fill, open_bytes
from anaphora.formats.segmentation.segmenter import DEFAULT_SEGMENTER, Segmenter


def segments_in(
    data: bytes, format_name: str, segmenter: Segmenter = DEFAULT_SEGMENTER, encoding: str = ""
) -> tuple[Segment, ...]:
    """The segments of a file of a known format."""
    file = open_bytes(data, format_name, ReadOptions(segmenter.language, encoding))
    return segments_of(file.blocks, segmenter)[0]


def render(
    data: bytes,
    format_name: str,
    translations: Mapping[str, str],
    segmenter: Segmenter = DEFAULT_SEGMENTER,
    statuses: Mapping[str, Status] | None = None,
    pair: LanguagePair = CHINESE_TO_ENGLISH,
    encoding: str = "",
    approved: Collection[str] = (),
) -> bytes:
    """A file with these targets; other units of a bilingual file do not change."""
    if format_name not in [known.name for known in FORMATS]:
        return fill(data, format_name, ())
    segments = {each.id: each for each in segments_in(data, format_name, segmenter, encoding)}
    named = {**translations, **{key: translations.get(key, "") for key in statuses or ()}}
    if any(key not in segments for key, text in named.items() if text.strip() or key in (statuses or ())):
        raise UnknownSegmentsError("no such segment")
    is_bilingual = any(each.file_target for each in segments.values()) or format_name in (
        "po",
        "tmx",
        "xliff",
        "qt",
    )
    states = {
        key: SegmentState(text, (statuses or {}).get(key, Status.EDITED), approved=key in approved)
        for key, text in named.items()
        if text.strip() or key in (statuses or ())
    }
    shown = [
        each.with_state(states.get(key, SegmentState()))
        for key, each in segments.items()
        if key in states or not is_bilingual
    ]
    return fill(data, format_name, shown, ReadOptions(segmenter.language, encoding), pair)
