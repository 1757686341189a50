"""Damaged and malicious bilingual files: a whole document or a typed error, in linear time."""

from __future__ import annotations

import random
import time
from pathlib import Path

import bilingual_samples as samples
import pytest
from rendering import render

from anaphora.formats.base.format import FormatError
from anaphora.formats.registry import read_bytes

FILES = [
    path
    for folder in ("po", "srt", "ass", "xliff", "tmx")
    for path in sorted((samples.GOLDEN / folder).iterdir())
    if path.suffix != ".md" and path.stat().st_size < 20_000
]
JUNK = (b"<", b">", b'"', b"\\", b"{", b"\n", b"&", b"\x00", b"\xff", b"msgid ", b"<g>", b"-->", b"{\\p1}")
PO = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n'
CUE = "1\n00:00:01,000 --> 00:00:02,000\n"
UNIT = (
    '<xliff version="1.2"><file><body><trans-unit id="1"><source>%s</source></trans-unit>'
    "</body></file></xliff>"
)


def damaged(data: bytes, chance: random.Random) -> bytes:
    out = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 5))):
        start = chance.randrange(len(out) + 1)
        end = min(len(out), start + chance.choice((1, 3, 20, 200)))
        action = chance.randrange(5)
        if action == 0:
            del out[start:end]
        elif action == 1:
            out[start:start] = chance.choice(JUNK)
        elif action == 2:
            out[start:start] = out[start:end] * 3
        elif action == 3:
            out[start:end] = bytes(chance.randrange(256) for _ in range(end - start))
        elif chance.random() < 0.2:
            del out[start:]
        if not out:
            out = bytearray(b"x")
    return bytes(out)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_damaged_files(path: Path) -> None:
    chance = random.Random(path.name)
    original = path.read_bytes()
    for _ in range(12):
        data = damaged(original, chance)
        try:
            document = read_bytes(data, path.name)
        except FormatError:
            continue
        assert samples.put(document, {}) == data
        render(data, document.format, {segment.id: "English {1}" for segment in document.segments})


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.po", PO + 'msgid "' + "<b>字" * 3000 + "</b>" * 3000 + '"\nmsgstr ""\n'),
        ("a.po", PO + '#, c-format, python-format\nmsgid "' + "%(%" * 15000 + '"\nmsgstr ""\n'),
        ("a.po", PO + '#, python-brace-format\nmsgid "' + "{" * 20000 + '"\nmsgstr ""\n'),
        ("a.srt", CUE + "<i>x" * 3000 + "</i>" * 3000),
        ("a.srt", CUE + "{\\an" * 20000),
        ("a.srt", CUE + "<a" * 20000),
        ("a.ass", "[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,a,b,0,0,0,,字" + "{\\i1" * 20000),
        (
            "a.xlf",
            UNIT
            % (
                "".join(f'<bpt id="{n}"/>字' for n in range(2000))
                + "".join(f'<ept id="{n}"/>' for n in range(2000))
            ),
        ),
    ],
    ids=["pairs", "printf", "braces", "nested", "overrides", "tags", "ass", "overlapping"],
)
@pytest.mark.slow
def test_long_texts_take_linear_time(name: str, text: str) -> None:
    begun = time.process_time()
    try:
        document = read_bytes(text.encode(), name)
    except FormatError:
        document = None
    if document is not None:
        wanted = {segment.id: segment.source + " English" for segment in document.segments}
        render(document.data, document.format, wanted)
    assert time.process_time() - begun < 10
