"""Pseudo-translations: letters, brackets and length change; tags, placeholders and files stay whole."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from anaphora.cli.pseudo_translation import pseudo_translation
from anaphora.core.tags import MARK
from anaphora.formats.registry import read
from anaphora.main import main


@pytest.mark.parametrize(
    ("source", "pseudo"),
    [
        ("Open the file.", "[·····Öþéñ ţĥé ƒîļé.]"),
        ("打开文件。", "[··打开文件。]"),
        ("{1}Bold{/1} text {2/}", "[····{1}Ɓöļð{/1} ţéẋţ {2/}]"),
        (
            "Hello %s, ${name} at https://a.example/b?c=d",
            "[····Ĥéļļö %s, ${name} åţ https://a.example/b?c=d]",
        ),
        ("One\ntwo", "[···Öñé\nţŵö]"),
        ("%Y年%m月 to %-d, 50%off", "[······%Y年%m月 ţö %-d, 50%oƒƒ]"),
    ],
)
def test_letters_change_and_protected_text_stays(source: str, pseudo: str) -> None:
    assert pseudo_translation(source) == pseudo


@pytest.mark.parametrize("name", ["guide.md", "page.html", "lines.srt", "tool.po"])
def test_a_file_is_pseudo_translated_without_an_engine(name, tmp_path, capsys, monkeypatch) -> None:
    texts = {
        "guide.md": "# Title\n\n点击 **Save** 保存 `x.py`。\n\n- one\n- 2\n",
        "page.html": "<p>按<b>OK</b>键<br>退出</p><script>var a = 'b';</script>",
        "lines.srt": "1\n00:00:01,000 --> 00:00:02,000\n你好\nGood day\n",
        "tool.po": 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
        'msgid "Open %s"\nmsgstr ""\n',
    }
    monkeypatch.setitem(__import__("sys").modules, "anaphora_nmt.api", None)  # an import would fail
    source = tmp_path / name
    source.write_text(texts[name], "utf-8")
    assert main(["translate", "--pseudo", str(source)]) == 0
    written = source.with_name(f"{source.stem}.pseudo{source.suffix}")
    assert written.name in capsys.readouterr().out
    before, after = read(source), read(written)
    assert len(after.segments) == len(before.segments)
    for old, new in zip(before.segments, after.segments, strict=True):
        text = new.target or new.source
        assert sorted(MARK.findall(text)) == sorted(MARK.findall(old.source))
        if re.search(r"[^\W\d]", MARK.sub("", old.source)):
            assert text.startswith("[") and text.endswith("]") and len(text) > len(old.source)


def test_the_original_is_never_written(tmp_path, capsys) -> None:
    source = tmp_path / "a.md"
    source.write_text("文本\n", "utf-8")
    assert main(["translate", "--pseudo", str(source), "-o", str(source)]) == 1
    assert "the original itself" in capsys.readouterr().err and source.read_text("utf-8") == "文本\n"


def test_columns_of_a_table_are_given_on_the_command_line(tmp_path: Path) -> None:
    table = tmp_path / "a.csv"
    table.write_text("a,b,c\n甲一,乙一,\n", "utf-8")
    out = tmp_path / "out.csv"
    assert main(["translate", "--pseudo", str(table), "--columns", "2:3", "-o", str(out)]) == 0
    assert out.read_text("utf-8") == "a,b,c\n甲一,乙一,[·乙一]\n"
    with pytest.raises(SystemExit):
        main(["translate", "--pseudo", str(table), "--columns", "two", "-o", str(out)])


def test_text_that_matches_patterns_stays(tmp_path: Path) -> None:
    folder, out = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    (folder / "a.txt").write_text("按 @@ok@@ 键 <<x>>。\n", "utf-8")
    (folder / "b.csv").write_text("甲,乙\n词@@b@@,\n", "utf-8")
    patterns = ["--placeholder", "@@\\w+@@", "--placeholder", "<<.>>"]
    alone = tmp_path / "alone.txt"
    assert main(["translate", "--pseudo", str(folder / "a.txt"), "-o", str(alone), *patterns]) == 0
    assert main(["translate", "--pseudo", str(folder), "-o", str(out), "--jobs", "1", *patterns]) == 0
    for path in (alone, out / "a.txt"):
        assert "@@ok@@" in (text := path.read_text("utf-8")) and "<<x>>" in text and "·按" in text
    assert "@@b@@" in (out / "b.csv").read_text("utf-8")
    plain = tmp_path / "plain.txt"
    assert main(["translate", "--pseudo", str(folder / "a.txt"), "-o", str(plain)]) == 0
    assert "<<x>>" not in plain.read_text("utf-8")
