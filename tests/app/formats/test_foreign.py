"""Files of other projects are opened or refused with advice; they survive unchanged and translated."""

from __future__ import annotations

from pathlib import Path

import pytest
from rendering import render

from anaphora.cli.pseudo_translation import pseudo_translation
from anaphora.core.segment import SegmentState, Status
from anaphora.formats.base.format import FormatError
from anaphora.formats.registry import read, read_bytes

FOLDER = Path(__file__).parents[2] / "golden" / "foreign"
FILES = sorted(path for path in FOLDER.iterdir() if path.is_file() and path.name != "SOURCES.md")
REFUSED = frozenset(
    (
        "polib--syntax_error1.po",
        "polib--ufeff.po",
    )
)
"""Files that are not documents: invalid encoding, truncated."""


def test_each_foreign_file_has_a_licence() -> None:
    assert len(FILES) > 120
    licences = {path.stem for path in (FOLDER / "licences").iterdir()}
    assert {path.name.partition("--")[0] for path in FILES} == licences


@pytest.mark.parametrize(
    "path", [path for path in FILES if path.name not in REFUSED], ids=lambda path: path.name
)
def test_foreign_file_is_read_and_written(path: Path) -> None:
    document = read(path)
    assert render(document.data, document.format, {}) == document.data
    free = [segment for segment in document.segments if segment.status is not Status.LOCKED]
    states = {
        segment.id: SegmentState(f"Q{number}Z {pseudo_translation(segment.source)}", Status.CONFIRMED)
        for number, segment in enumerate(free)
    }
    targets = {key: state.target for key, state in states.items()}
    statuses = {key: state.status for key, state in states.items()}
    again = read_bytes(render(document.data, document.format, targets, statuses=statuses), path.name)
    written = " ".join(f"{segment.source} {segment.target}" for segment in again.segments)
    assert [target for target in targets.values() if target.split()[0] not in written] == []


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_foreign_file_without_document_is_refused(name: str) -> None:
    with pytest.raises(FormatError) as caught:
        read(FOLDER / name)
    assert caught.value.advice
