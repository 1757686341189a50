"""On a full disk, every writer reports the error with advice, and keeps the old file."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from disks import fill, small_disk

from anaphora.cli.batch.ledger import Ledger
from anaphora.core.errors import ExportError
from anaphora.engine.pack_files import write_pack
from anaphora.features.packs.packs import MemoryPack
from anaphora.features.review.files import ReviewTable, write_table
from anaphora.features.terms.exchange import export_terms
from anaphora.features.tm.exchange import export_units
from anaphora.project.store.units.file import MemoryFile
from anaphora.project.store.units.table import TranslationMemory
from anaphora.system.files import write_atomically


def export_nothing(path: Path) -> None:
    with TemporaryDirectory() as folder, closing(MemoryFile.open(Path(folder) / "m.sqlite")) as file:
        export_units(path, TranslationMemory("", file), "1")


WRITERS: dict[str, Callable[[Path], object]] = {
    "translation": lambda path: write_atomically(b"x" * 5000, path),
    "memory": export_nothing,
    "terms.tbx": lambda path: export_terms(path, []),
    "terms.csv": lambda path: export_terms(path, []),
    "pack": lambda path: write_pack(path, MemoryPack("Mine", (("账本", "ledger"),))),
    "review.docx": lambda path: write_table(ReviewTable("a", (), ("No.",) * 5), "Mine", path),
    "run": lambda path: Ledger(path.parent, "a").begin(),
}


@pytest.mark.parametrize("name", WRITERS)
def test_who_writes_where_no_room_is_left_gets_advice(tmp_path: Path, name: str) -> None:
    with small_disk(tmp_path / "disk", "64k") as disk:
        (disk / name).write_text("before")
        fill(disk)
        with pytest.raises(ExportError) as caught:
            WRITERS[name](disk / name)
        assert str(caught.value.advice) == "The disk is full. Free some space, or choose another disk."
        assert (disk / name).read_text() == "before"
        assert {each.name for each in disk.iterdir()} <= {name, "ballast", ".anaphora-run.jsonl"}
