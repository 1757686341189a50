"""Golden files with random damage are read and written, or refused with a typed error."""

from __future__ import annotations

import io
import random
import zipfile
from pathlib import Path

import pytest

from anaphora.core.errors import AnaphoraError
from anaphora.core.segment import SegmentState, Status
from anaphora.formats.base.format import ReadOptions
from anaphora.formats.registry import fill, read_bytes

GOLDEN = Path(__file__).parents[2] / "golden"
KINDS = ("ass", "docx", "epub", "html", "markdown", "odt", "po", "pptx", "srt", "tmx", "txt", "xliff", "xlsx")
VARIANTS = 12
WORDS = (
    b"<",
    b">",
    b'"',
    b"&",
    b"&#0;",
    b"\x00",
    b"\xff\xfe",
    b"\r\n",
    b"{",
    b"}",
    b"]]>",
    b"-->",
    b"msgid ",
)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.slow
def test_damage_gives_a_document_or_a_typed_error(kind: str) -> None:
    chance = random.Random(kind)
    files = sorted(path for path in (GOLDEN / kind).iterdir() if path.name != "SOURCES.md")
    smallest = sorted(files, key=lambda path: path.stat().st_size)[:3]
    for number in range(VARIANTS):
        path = smallest[number % len(smallest)]
        data = damaged(path.read_bytes(), chance)
        try:
            document = read_bytes(data, path.name)
            translated = [
                segment.with_state(SegmentState(segment.source, Status.CONFIRMED))
                for segment in document.segments
            ]
            fill(data, document.format, translated, ReadOptions(document.language, document.encoding))
        except AnaphoraError:
            continue


def damaged(data: bytes, chance: random.Random) -> bytes:
    """Damage mostly the text of one part of a package, else the bytes themselves."""
    if not zipfile.is_zipfile(io.BytesIO(data)) or chance.random() < 0.25:
        return changed(data, chance)
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as package, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        names = package.namelist()
        chosen = chance.choice([name for name in names if name.endswith(("xml", "html", "opf", "rels"))])
        for name in names:
            content = package.read(name)
            new.writestr(name, changed(content, chance) if name == chosen else content)
    return out.getvalue()


def changed(data: bytes, chance: random.Random) -> bytes:
    """Flip one to four bytes, remove or repeat parts, insert words, or cut off the end."""
    for _ in range(chance.choice((1, 2, 4))):
        at = chance.randrange(len(data) + 1)
        end = min(len(data), at + chance.choice((1, 7, 40, 300)))
        data = chance.choice(
            (
                data[:at] + bytes(byte ^ 1 << chance.randrange(8) for byte in data[at:end]) + data[end:],
                data[:at] + data[end:],
                data[:end] + data[at:],
                data[:at] + chance.choice(WORDS) + data[at:],
                data[:at],
            )
        )
    return data
