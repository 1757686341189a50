"""Small files in which other tools lose text: the texts to translate, and the result."""

from __future__ import annotations

from pathlib import Path

import pytest

from anaphora.cli.pseudo_translation import pseudo_translation
from anaphora.core.segment import SegmentState, Status
from anaphora.formats.base.format import ReadOptions
from anaphora.formats.bilingual.units import has_letters
from anaphora.formats.registry import fill, read, read_bytes

FOLDER = Path(__file__).parents[2] / "golden" / "fields"
WRITTEN = {
    "subsup.html": (
        (
            "Carbon dioxide (CO{1}2{/1}) and water (H{2}2{/2}O) react.",
            "The room has 25m{1}2{/1} and 60m{2}3{/2}.",
            "He said{1}[1]{/1}: “Hello.”",
            "Studies{1}[2]{/1} show that heat matters{2}[3,4]{/2}.",
            "There is more SO{1}4{/1}{2}2-{/2}.",
        ),
        "<p>Carbon dioxide (CO<sub>2</sub>) and water (H<sub>2</sub>O) react.</p>\n"
        "<p>The room has 25m<sup>2</sup> and 60m<sup>3</sup>.</p>\n"
        '<p>He said<a href="#n1"><sup>[1]</sup></a>: “Hello.”</p>\n'
        '<p>Studies<sup><a href="#r2">[2]</a></sup> show that heat matters<sup>[3,4]</sup>.</p>\n'
        "<p>There is more SO<sub>4</sub><sup>2-</sup>.</p>",
    ),
    "footnotes.md": (
        ("See{1/} and{2/}.", "The first.", "The second.", "Not cited", "The end."),
        "See[^1] and[^note].\n\n[^1]: The first.\n[^note]: The second.\n[^3]: Not cited\n\nThe end.",
    ),
    "footnote_min.md": (
        ("Project", "On caches{1/}.", "A cache is a store."),
        "# Project\n\nOn caches[^1].\n\n[^1]: A cache is a store.",
    ),
    "alert_min.md": (("Back up first.",), "> [!NOTE]\n> Back up first."),
    "mkdocs_min.md": (
        ("Apple", "A fruit.", "Warning", "Indented.", "More."),
        'Apple\n:   A fruit.\n\n!!! note "Warning"\n    Indented.\n\n    More.',
    ),
    "reflink_min.md": (
        ("See {1}the guide{/1}.",),
        "See [the guide][安装指南].\n\n[安装指南]: https://example.com/install",
    ),
    "ruby_min.html": (("I love Tian'anmen in Beijing.",), "<p>I love Tian'anmen in Beijing.</p>"),
    "jinja_min.html": (
        ("there are more{1/} messages: {2/}.",),
        "<p>{% if n > 1 %}there are more{% endif %} messages: <%= x %>.</p>",
    ),
    "php_min.html": (("{1/} results.",), "<p><?php echo $n; ?> results.</p>"),
    "svg_min.html": (("Start", "End"), '<svg><text x="1">Start</text><text x="2">End</text></svg>'),
}


def letters(text: str) -> str:
    """A text without spaces and brackets, which sheet names must not contain."""
    return "".join(text.split()).replace("[", "").replace("]", "")


@pytest.mark.parametrize("name", WRITTEN)
def test_sample_gets_expected_translation(name: str) -> None:
    targets, wanted = WRITTEN[name]
    document = read(FOLDER / name)
    segments = [
        segment.with_state(SegmentState(target, Status.CONFIRMED))
        for segment, target in zip(document.segments, targets, strict=True)
    ]
    out = fill(document.data, document.format, segments, ReadOptions("", document.encoding)).decode()
    assert out.rstrip() == wanted


@pytest.mark.parametrize("path", sorted(FOLDER.iterdir()), ids=lambda path: path.name)
def test_samples_survive_unchanged_and_pseudo_translated(path: Path) -> None:
    document = read(path)
    reading = ReadOptions("", document.encoding)
    assert fill(document.data, document.format, document.segments, reading) == document.data
    segments = [
        segment.with_state(SegmentState(pseudo_translation(segment.source), Status.CONFIRMED))
        if has_letters(segment.source) and segment.status is not Status.LOCKED
        else segment
        for segment in document.segments
    ]
    again = read_bytes(fill(document.data, document.format, segments, reading), path.name)
    wanted = [letters(segment.target or segment.source) for segment in segments]
    assert [letters(segment.target or segment.source) for segment in again.segments] == wanted
