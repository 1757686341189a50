"""Targets with invalid characters are cleaned, and survive a round trip."""

from __future__ import annotations

import docx_samples as samples
import pytest
from rendering import render

from anaphora.core.segment import SegmentState, Status
from anaphora.formats.base.target_language import clean_target
from anaphora.formats.registry import read_bytes

HEADER = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n'
ONE = {
    "a.txt": "账本。\n后面。\n",
    "a.md": "账本。\n\n后面。\n",
    "a.html": "<p>账本。</p><p>后面。</p>",
    "a.srt": "1\n00:00:01,000 --> 00:00:02,000\n账本。\n\n2\n00:00:03,000 --> 00:00:04,000\n后面。\n",
    "a.ass": "[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,,,0,0,0,,账本。\n"
    "Dialogue: 0,0:00:03.00,0:00:04.00,,,0,0,0,,后面。\n",
    "a.po": HEADER + 'msgid "账本。"\nmsgstr ""\n\nmsgid "后面。"\nmsgstr ""\n',
    "a.xlf": '<xliff version="1.2"><file><body><trans-unit id="1"><source>账本。</source></trans-unit>'
    '<trans-unit id="2"><source>后面。</source></trans-unit></body></file></xliff>',
    "a.tmx": '<tmx version="1.4"><header srclang="zh"/><body>'
    '<tu><tuv xml:lang="zh"><seg>账本。</seg></tuv></tu>'
    '<tu><tuv xml:lang="zh"><seg>后面。</seg></tuv></tu></body></tmx>',
}


def written(name: str, target: str) -> list[str]:
    """The texts of a file after its first one was translated; in bilingual files, the targets."""
    data = ONE[name].encode() if name in ONE else samples.paragraph("<w:r><w:t>账本。</w:t></w:r>")
    document = read_bytes(data, name)
    first = document.segments[0]
    state = SegmentState(target, Status.CONFIRMED)
    rendered = render(data, document.format, {first.id: state.target}, statuses={first.id: state.status})
    again = read_bytes(rendered, name).segments
    return [segment.target or segment.source for segment in again]


@pytest.mark.parametrize(
    ("target", "cleaned"),
    [
        ("plain", "plain"),
        ("a\x00b\x1bc\x7fd\x9fe\ufffff\ufdd0g\U0001fffeh\ufeffi", "abcdefghi"),
        ("a\ud800b\udc00c", "abc"),
        ("\ud83d\ude00", "\U0001f600"),
        ("a\r\nb\rc\x0bd\x85e\u2028f", "a\nb\nc\nd\ne\nf"),
        ("a\tb", "a\tb"),
        ("mark\u200f kept", "mark\u200f kept"),
    ],
)
def test_forbidden_characters_are_removed(target: str, cleaned: str) -> None:
    assert clean_target(target) == cleaned == clean_target(cleaned)


def test_unchanged_target_of_file_is_never_cleaned() -> None:
    data = (HEADER + 'msgid "账本。"\nmsgstr "a\u202eb"\n\nmsgid "后面。"\nmsgstr ""\n').encode()
    document = read_bytes(data, "a.po")
    states = {segment.id: segment.state for segment in document.segments}
    targets = {key: state.target for key, state in states.items()}
    statuses = {key: state.status for key, state in states.items()}
    assert render(data, "po", targets, statuses=statuses) == data


@pytest.mark.parametrize("target", ["one\n\n\ntwo", "one\r\n \t\r\ntwo", "one\r\rtwo", "one\u2028\u2029two"])
def test_blank_lines_do_not_end_a_cue(target: str) -> None:
    assert written("a.srt", target) == ["one\ntwo", "后面。"]


def test_backslashes_and_braces_stay_text_in_substation_alpha() -> None:
    texts = written("a.ass", "C:\\Network\\home {x} \\{y}")
    assert texts == ["C:\\\u2060Network\\\u2060home {x} \\\u2060{y}", "后面。"]


def test_target_may_contain_characters_of_its_source() -> None:
    assert clean_target("a\x0bb\x01c", "x\x0b\x01") == "a\x0bb\x01c"
    assert clean_target("a\x0bb\x01c", "x\x0b") == "a\x0bbc"
    assert clean_target("a\x0bb\x01c") == "a\nbc"
