# mypy: ignore-errors
"""Makes projects with the last version before segments knew their places; `migrate_projects.py` runs it.

It is run with that version's packages on the path and uses nothing of this one, so types are not checked.
"""

from __future__ import annotations

import hashlib
import json
import random
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from anaphora.core.edits import ChangeSet, Edit
from anaphora.core.records import Comment, CommentChange
from anaphora.core.segment import SegmentState, Status
from anaphora.document.resegmentation_plan import StoredFile, plan_merge, plan_split
from anaphora.export.writing import snapshot, write_export
from anaphora.formats.base.package import Package
from anaphora.formats.base.source_words import SourceWords
from anaphora.formats.office import docx, drawing
from anaphora.formats.registry import read_bytes
from anaphora.formats.segmentation.cutting import CuttingSegmenter
from anaphora.formats.segmentation.segmenter import make_segmenter
from anaphora.reading.segmenters import user_segmenter
from anaphora.store.project import ProjectStore

MOST = 3000
"""Segments of a document: larger ones take long."""


def make(path: Path, project: Path, chance: random.Random) -> dict[str, Any] | None:
    """Make a project of a file with work in it; returns what it holds, None where the file cannot be read."""
    source = _read(path, chance)
    if source is None or not 0 < len(source.segments) < MOST:
        return None
    store = ProjectStore.create(project, source)
    try:
        for _ in range(chance.choice((0, 0, 2, 5))):
            _resegment(store, source, chance)
        edits = tuple(_edits(store.load_document(), chance))
        store.save(ChangeSet(edits))
        segments = list(store.load_document())
        for number, segment in enumerate(chance.sample(segments, min(3, len(segments)))):
            said = Comment(f"c{number}", segment.id, "me", "2026-01-01T00:00:00+00:00", segment.source[:20])
            store.save_all([CommentChange(said)])
        return {
            "name": source.name,
            "segments": [(s.id, s.source, s.target, int(s.status)) for s in segments],
            "comments": sorted((each.segment, each.text) for each in store.comments()),
            "history": {s.id: [(int(h.status), h.target) for h in store.history(s.id)] for s in segments},
            "export": _export(store, project.with_suffix(".out")),
        }
    finally:
        store.close()


def _read(path: Path, chance: random.Random) -> Any:
    """A document; a few as the first version segmented it, or with fewer texts, as early ones read it."""
    data = path.read_bytes()
    most = chance.choice((8000, 8000, 60))
    rules = CuttingSegmenter(user_segmenter(chance.choice(("", "", "", "en"))), most)
    segmenter = make_segmenter("", "") if chance.random() < 0.15 else rules
    try:
        source = read_bytes(data, path.name, segmenter=segmenter)
        if source.format == "docx" and chance.random() < 0.3:
            contents = docx._Contents.of(Package(data), SourceWords.of(segmenter))
            places = docx._paragraphs(contents.sources, as_in_0_4=True)
            return replace(source, segments=drawing.segments(drawing.split_places(places, segmenter)))
    except Exception:
        return None
    if source.format in ("pptx", "xlsx", "odt") and chance.random() < 0.3:
        last = int(source.segments[-1].block) - chance.randrange(4) if source.segments else 0
        return replace(source, segments=tuple(s for s in source.segments if int(s.block) <= last))
    return source


def _resegment(store: Any, source: Any, chance: random.Random) -> None:
    document, (info,) = store.load_document(), store.documents()
    file = StoredFile("1", info.format, info.segmentation, info.overrides, info.encoding, lambda: source.data)
    row = chance.randrange(len(document))
    segment = document.at(row)
    try:
        if chance.random() < 0.5 and row + 1 < len(document):
            plan = plan_merge(file, segment.id, document.at(row + 1).id)
        else:
            plan = plan_split(file, segment.id, chance.randrange(len(segment.source) + 1))
        store.resegment(plan.resegmentation([document.get(each.id) for each in plan.before]))
    except Exception:
        return  # it cannot be joined or split there


def _edits(segments: Any, chance: random.Random) -> Iterator[Edit]:
    for number, segment in enumerate(segments):
        if segment.status is not Status.LOCKED and chance.random() < 0.75:
            target = chance.choice(
                (f"T{number} {segment.source}", f"T{number} {segment.source}", f"译{number}。")
            )
            status = chance.choice((Status.DRAFT, Status.EDITED, Status.CONFIRMED))
            yield Edit(segment.id, segment.state, SegmentState(target, status))


def _export(store: Any, path: Path) -> str:
    """The checksum of what is exported, or why nothing is."""
    try:
        write_export(store, store.documents()[0], snapshot(store.load_document()), path)
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except Exception as error:
        return type(error).__name__


def main() -> None:
    """Make projects of the files that are named on the standard input, in the folder that is named."""
    folder, seed = Path(sys.argv[1]), sys.argv[2]
    made = {}
    for number, name in enumerate(sys.stdin.read().splitlines()):
        project = folder / f"{number}.anaphora"
        found = make(Path(name), project, random.Random(f"{seed}:{number}"))
        if found is not None:
            made[project.name] = found
    (folder / "made.json").write_text(json.dumps(made), "utf-8")


if __name__ == "__main__":
    main()
