"""`anaphora terms` on real files: a table that goes into `--terms`, or JSON; no engine is loaded."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

from anaphora.command_line.terms import terms
from anaphora.formats.terminology.table import read_table

LEASE = Path(__file__).parents[2] / "golden" / "first_terms" / "lease.txt"


def test_a_table_that_goes_into_a_term_base(tmp_path, capsys) -> None:
    out = tmp_path / "terms.csv"
    assert terms([str(LEASE), "-o", str(out)]) == 0
    assert capsys.readouterr().out == ""
    entries = {entry.source: entry.allowed for entry in read_table(out) if entry is not None}
    assert entries["林秋生"] == ("Lin Qiusheng",)
    assert entries["甲方"] == ("Party A",)
    rows = list(csv.DictReader(io.StringIO(out.read_text("utf-8"))))
    assert next(row for row in rows if row["source"] == "林秋生")["kind"] == "person"


def test_only_what_is_sure_as_json(capsys) -> None:
    assert terms([str(LEASE), "--sure", "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert rows and all(row["sure"] and row["renderings"] for row in rows)


def test_a_file_that_is_not_there_says_so(tmp_path, capsys) -> None:
    assert terms([str(tmp_path / "nothing.docx")]) == 1
    assert "nothing.docx" in capsys.readouterr().err
