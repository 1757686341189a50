"""Untrusted names become file names that are valid on every system."""

from __future__ import annotations

from pathlib import Path

import pytest

from anaphora.system.locations import MAX_NAME_BYTES, safe_name, safe_path, with_home


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("指南.zh.md", "指南.zh.md"),
        ("a:b.txt", "a_b.txt"),
        ('what? "this" <is> a|b*.txt', "what_ _this_ _is_ a_b_.txt"),
        ("CON.txt", "_CON.txt"),
        ("con", "_con"),
        ("Com1.docx", "_Com1.docx"),
        ("contract.docx", "contract.docx"),
        ("trailing. . ", "trailing"),
        ("line\nbreak\x7f.txt", "line_break_.txt"),
        (".", "document"),
        ("..", "document"),
        ("", "document"),
        (" ", "document"),
        ("///", "document"),
        ("\ud800x.txt", "_x.txt"),
    ],
)
def test_a_safe_name_is_valid_on_every_system(tmp_path: Path, name: str, safe: str) -> None:
    assert safe_name(name) == safe
    (tmp_path / safe_name(name)).write_text("x")
    assert safe_name(safe) == safe


@pytest.mark.parametrize("letter", ["x", "账", "😀"])
def test_a_long_name_is_cut_at_a_letter_and_keeps_its_suffix(tmp_path: Path, letter: str) -> None:
    name = safe_name(letter * 249 + ".docx")
    assert MAX_NAME_BYTES - 8 < len(name.encode()) <= MAX_NAME_BYTES
    assert name.endswith(f"{letter}.docx")
    assert len(safe_name("x." + letter * 300).encode()) <= MAX_NAME_BYTES
    (tmp_path / f".{name}.lock").write_text("x")


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("a/b.md", "a/b.md"),
        ("../../etc/passwd", "etc/passwd"),
        ("/etc/passwd", "etc/passwd"),
        ("../../CON/x.txt", "_CON/x.txt"),
        (r"..\..\CON\x.txt", ".._.._CON_x.txt"),
        (r"back\slash.txt", "back_slash.txt"),
        (r"C:\x.txt", "C__x.txt"),
        ("C:/x.txt", "C_/x.txt"),
        ("./.", "document"),
    ],
)
def test_a_safe_path_stays_in_the_folder(name: str, path: str) -> None:
    assert safe_path(name) == Path(path)


def test_only_a_tilde_alone_is_the_home_folder() -> None:
    assert with_home(Path("~")) == Path.home() and with_home(Path("~/a/b.txt")) == Path.home() / "a" / "b.txt"
    for name in ("~$letter.docx", "~nobody/a.txt", "a/~/b", "/a"):
        assert with_home(Path(name)) == Path(name)
