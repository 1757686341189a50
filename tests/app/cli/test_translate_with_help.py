"""`anaphora translate` with a translation memory and a term base, by the real engine."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_documents import POOR

from anaphora.main import main

TMX = """<?xml version="1.0" encoding="UTF-8"?>
<tmx version="1.4"><header srclang="zh" datatype="plaintext" segtype="sentence" adminlang="en" o-tmf="x"
 creationtool="x" creationtoolversion="1"/><body>
<tu><tuv xml:lang="zh"><seg>账本保存每个交易。</seg></tuv>
<tuv xml:lang="en"><seg>The register keeps it all.</seg></tuv></tu>
</body></tmx>
"""


@pytest.mark.slow
def test_exact_matches_and_terms_are_used(tmp_path: Path, capsys) -> None:
    source, target = tmp_path / "账本.zh.txt", tmp_path / "out.txt"
    source.write_text("账本保存每个交易。\n每个节点读取缓存。\n", encoding="utf-8")
    memory, terms = tmp_path / "m.tmx", tmp_path / "t.csv"
    memory.write_text(TMX, encoding="utf-8")
    terms.write_text("zh,en,status\n节点,workstation,\n节点,knot,obsolete\n孤,,\n", encoding="utf-8")
    arguments = ["translate", str(source), "-o", str(target), "--threads", "1", "--proposals", "write"]
    assert main([*arguments, "--memory", str(memory), "--terms", str(terms)]) == 0
    first, second = target.read_text("utf-8").splitlines()
    assert first == "The register keeps it all."
    assert "workstation" in second.lower()
    done = capsys.readouterr()
    assert "from the translation memory: 1" in done.err
    counts = "1 of 3 entries imported, forbidden translations: 1; skipped: 1 without"
    assert f"terms of t.csv: {counts}" in done.err
    assert "2 of 2 segments translated" in done.out


@pytest.mark.slow
def test_a_poor_draft_gets_a_dictionary_word_unless_a_term_differs(tmp_path: Path, capsys) -> None:
    source, target = tmp_path / "乌鸦.zh.txt", tmp_path / "out.txt"
    source.write_text(f"{POOR}\n", encoding="utf-8")
    arguments = ["translate", str(source), "-o", str(target), "--threads", "1", "--proposals", "write"]
    assert main(arguments) == 0
    text = target.read_text("utf-8").lower()
    assert "raven" in text or "crow" in text
    terms = tmp_path / "t.csv"
    terms.write_text("zh,en\n乌鸦,rook\n", encoding="utf-8")
    assert main([*arguments, "--terms", str(terms)]) == 0
    text = target.read_text("utf-8").lower()
    assert "rook" in text and "raven" not in text


def test_an_unreadable_file_is_reported(tmp_path: Path, capsys) -> None:
    source = tmp_path / "账本.zh.txt"
    source.write_text("账本保存每个交易。\n", encoding="utf-8")
    for option in ("--memory", "--terms"):
        wanted = tmp_path / "gone.tmx"
        assert main(["translate", str(source), option, str(wanted), "--threads", "1"]) == 1
        assert "gone.tmx" in capsys.readouterr().err
    assert not list(tmp_path.glob("*.en.txt"))
