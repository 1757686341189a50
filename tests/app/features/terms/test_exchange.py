"""Import and export of term bases."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from anaphora.core.errors import ExportError
from anaphora.core.term_entries import TargetTerm, TermEntry, Usage
from anaphora.features.terms.exchange import TermImport, export_terms, import_terms
from anaphora.formats.base.format import FormatError
from anaphora.project.store.terms.table import TermBase, TermFile


@pytest.fixture
def base(tmp_path: Path) -> Iterator[TermBase]:
    file = TermFile.open(tmp_path / "terms.sqlite")
    yield TermBase("mine", file)
    file.close()


def test_an_import_counts_the_outcome_of_each_row(tmp_path: Path, base: TermBase) -> None:
    base.add([TermEntry("账本", (TargetTerm("ledger"),)), TermEntry("节点", (TargetTerm("node"),))])
    path = tmp_path / "terms.csv"
    rows = [
        "term,translation,usage",
        "缓存,cache,",
        "缓存,cash,forbidden",
        "账本,book,forbidden",
        "节点,node,",
        "孤,,",
    ]
    path.write_text("\n".join(rows), "gb18030")
    assert import_terms(path, base) == TermImport(
        "terms.csv", 5, 1, added=1, enriched=1, present=1, forbidden=2
    )
    assert {entry.source: (entry.allowed, entry.forbidden) for entry in base.entries()} == {
        "账本": (("ledger",), ("book",)),
        "节点": (("node",), ()),
        "缓存": (("cache",), ("cash",)),
    }


def test_an_import_explains_skipped_rows(tmp_path: Path, base: TermBase) -> None:
    path = tmp_path / "terms.csv"
    path.write_text(f"文件,file,ZH,EN\n文件夹,Ordner,ZH,DE\n缓存,{'cache ' * 50},ZH,EN\n", "utf-8")
    assert import_terms(path, base) == TermImport(
        "terms.csv", 3, 1, added=1, enriched=0, present=0, forbidden=0, too_long=1
    )


@pytest.mark.parametrize("name", ["terms.tbx", "terms.csv"])
def test_an_export_can_be_imported_again(tmp_path: Path, base: TermBase, name: str) -> None:
    entry = TermEntry("缓存", (TargetTerm("cache"), TargetTerm("cash", Usage.FORBIDDEN)), "“n”", "IT")
    base.add([entry, TermEntry("账本", (TargetTerm("ledger"),))])
    assert export_terms(tmp_path / name, [base]) == 2
    other_file = TermFile.open(tmp_path / "other.sqlite")
    other = TermBase("other", other_file)
    assert import_terms(tmp_path / name, other).added == 2
    assert [(each.source, each.targets, each.note, each.domain) for each in other.entries()] == [
        (each.source, each.targets, each.note, each.domain) for each in base.entries()
    ]
    other_file.close()


@pytest.mark.parametrize("name", ["terms.tbx", "terms.csv"])
def test_an_import_shows_its_progress(tmp_path: Path, base: TermBase, name: str) -> None:
    base.add([TermEntry(f"术语{number}", (TargetTerm(f"term {number}"),)) for number in range(300)])
    export_terms(tmp_path / name, [base])
    told: list[float] = []
    import_terms(tmp_path / name, base, step=told.append)
    assert told == sorted(told)
    assert 0 <= told[0] < 0.3 < told[-1] <= 1, "reading the file takes less time"


def test_exported_tables_begin_with_a_byte_order_mark(tmp_path: Path, base: TermBase) -> None:
    base.add([TermEntry("账本", (TargetTerm("ledger"),))])
    for name, begins in (("a.csv", b"\xef\xbb\xbf"), ("a.TBX", b"<?xml")):
        export_terms(tmp_path / name, [base])
        assert (tmp_path / name).read_bytes().startswith(begins)


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("a.csv", "one column\nonly\n", "fewer than two columns"),
        ("a.csv", "zh,en\n缓存,\n", "no term that has both"),
        ("a.tbx", "<tbx", "not valid XML"),
        ("missing.csv", None, "could not be read"),
    ],
)
def test_bad_files_leave_the_term_base_unchanged(
    tmp_path: Path, base: TermBase, name: str, data: str | None, reason: str
) -> None:
    base.add([TermEntry("账本", (TargetTerm("ledger"),))])
    if data is not None:
        (tmp_path / name).write_text(data, "utf-8")
    with pytest.raises(FormatError, match=reason):
        import_terms(tmp_path / name, base)
    assert len(base) == 1


def test_a_file_that_cannot_be_written_is_reported(tmp_path: Path, base: TermBase) -> None:
    with pytest.raises(ExportError):
        export_terms(tmp_path / "no folder" / "a.csv", [base])
