"""`anaphora terms` on real files writes a table for `--terms`, without loading the engine."""

from __future__ import annotations

import csv
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from anaphora.cli.terms import terms
from anaphora.formats.terminology.table import read_table

LEASE = Path(__file__).parents[2] / "golden" / "first_terms" / "lease.txt"


def test_the_table_can_be_imported_into_a_term_base(tmp_path, capsys) -> None:
    out = tmp_path / "terms.csv"
    assert terms([str(LEASE), "-o", str(out)]) == 0
    assert capsys.readouterr().out == ""
    entries = {entry.source: entry.allowed for entry in read_table(out) if entry is not None}
    assert entries["林秋生"] == ("Lin Qiusheng",)
    assert entries["甲方"] == ("Party A",)
    rows = list(csv.DictReader(io.StringIO(out.read_text("utf-8"))))
    assert next(row for row in rows if row["source"] == "林秋生")["kind"] == "person"


def test_only_sure_rows_can_be_listed(capsys) -> None:
    assert terms([str(LEASE), "--sure"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert rows and all(row["sure"] == "yes" and row["target"] for row in rows)


@pytest.mark.parametrize("options", [[], ["-o", str(LEASE)]], ids=["printed", "into an existing file"])
def test_a_missing_file_is_reported(tmp_path, capsys, options) -> None:
    assert terms([str(tmp_path / "nothing.docx"), *options]) == 1
    assert "nothing.docx" in capsys.readouterr().err


def test_a_pipe_gets_utf_8_on_any_console(tmp_path) -> None:
    command = [sys.executable, "-m", "anaphora.main", "terms", str(LEASE)]
    variables = {**os.environ, "PYTHONIOENCODING": "cp1252"}
    done = subprocess.run(command, env=variables, capture_output=True, timeout=120, check=True)
    assert "林秋生,Lin Qiusheng" in done.stdout.decode("utf-8")


def test_an_unwritable_output_is_reported_and_the_document_is_never_replaced(tmp_path, capsys) -> None:
    document = tmp_path / "lease.txt"
    document.write_bytes(LEASE.read_bytes())
    with pytest.raises(SystemExit):
        terms([str(document), "-o", str(document)])
    assert "FILE itself" in capsys.readouterr().err
    assert document.read_bytes() == LEASE.read_bytes()
    (tmp_path / "folder").mkdir()
    assert terms([str(document), "-o", str(tmp_path / "folder")]) == 1
    assert "folder" in capsys.readouterr().err
