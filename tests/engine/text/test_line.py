"""Preparing a line equals normalising and protecting it, with spans in the raw text."""

from __future__ import annotations

import re

from hypothesis import example, given
from hypothesis import strategies as st

from anaphora_nmt.text.line import source_line, target_line
from anaphora_nmt.text.normalize import normalize_source, normalize_target
from anaphora_nmt.text.protect import PLACEHOLDERS, protect
from anaphora_nmt.text.tags import Tag, strip_tags, whole_strings

WORDS = (
    "我们",
    "使用",
    "，",
    "。",
    "Ａ",
    "１２",
    "２０４８",
    "2048",
    "os.path",
    "a_b()",
    "50%",
    "-v",
    "x",
    "😀",
)
OTHERS = ("e\u0301", "\u200b", "\ufeff", "\u3000", " ", "\t", "“", "…", "—", "\ue000", "{1}", "{/1}", "{2/}")
fragments = st.sampled_from(WORDS + OTHERS)
texts = st.lists(fragments, max_size=25).map("".join)


def held(plain: str, tags: tuple[Tag, ...]) -> list[tuple[int, int]]:
    """Positions of words with an inner pair, and of indices, in the normalised text."""
    ends = ((_length(plain[:start]), _length(plain[:end])) for start, end in whole_strings(plain, tags))
    return [(start, end) for start, end in ends if start < end]


def _length(plain: str) -> int:
    return len(normalize_source(f"{plain}x")) - 1  # without a letter, trailing spaces would be removed


@given(texts)
@example("Ａ{1}Ａ{/1}")
def test_source_is_normalised_and_protected(raw: str) -> None:
    line = source_line(raw)
    plain, tags = strip_tags(raw)
    expected = protect(normalize_source(plain), extra_spans=held(plain, tags))
    assert (line.plain, line.tags) == (plain, tags)
    assert (line.text, line.strings) == (expected.text, expected.strings)


@given(texts, st.booleans())
@example("我们{1}\u3000Ａ{/1}Ａ", True)
@example("Ａ{1}Ａ\u3000{/1}我们", True)
def test_spans_map_back_to_raw_text(raw: str, is_source: bool) -> None:
    strings = source_line(raw).strings
    line = source_line(raw) if is_source else target_line(raw, strings)
    normalize = normalize_source if is_source else normalize_target
    assert len(line.spans) == len(line.text)
    last = (0, 0)
    for character, span in zip(line.text, line.spans, strict=True):
        start, end = span
        assert span == last or start >= last[1]
        assert start < end <= len(line.plain)
        covered = normalize(line.plain[start:end])
        if character in PLACEHOLDERS:
            covered = re.sub("[\ue000-\uf8ff]", "\ufffd", covered)
            assert covered == line.strings[PLACEHOLDERS.index(character)]
        elif character not in " \ufffd":
            assert character in covered
        last = span
