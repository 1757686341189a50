"""`anaphora-nmt translate`: where from and where to; nothing of what is there already is lost."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from anaphora_nmt.cli import main

TEXT = "账本保存交易。\n节点读取账本。\n"


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "文.txt"
    path.write_text(TEXT, "utf-8")
    return path


def test_the_input_is_never_written_over(text: Path, capsys: pytest.CaptureFixture) -> None:
    assert main(["translate", str(text), "-o", str(text)]) == 2
    (text.parent / "same.txt").symlink_to(text)
    assert main(["translate", str(text), "-o", str(text.parent / "same.txt")]) == 2
    assert capsys.readouterr().err.count("is the input itself") == 2
    assert text.read_text("utf-8") == TEXT


def test_an_unwritable_place_is_reported_before_anything_is_translated(
    text: Path, capsys: pytest.CaptureFixture
) -> None:
    """The model's folder does not exist, which would be the next error."""
    model = ["--model", str(text.parent / "no model")]
    assert main(["translate", str(text), "-o", str(text.parent), *model]) == 2
    assert "is a folder" in capsys.readouterr().err
    assert main(["translate", str(text), "-o", str(text.parent / "no" / "out.txt"), *model]) == 2
    assert "does not exist" in capsys.readouterr().err and not (text.parent / "no").exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no disk that is always full")
def test_a_full_disk_is_reported_in_a_line(text: Path, capsys: pytest.CaptureFixture) -> None:
    assert main(["translate", str(text), "-o", "/dev/full"]) == 2
    assert "cannot be written" in capsys.readouterr().err
    assert Path("/dev/full").is_char_device()


def test_a_mark_of_the_encoding_is_not_text_and_of_nothing_comes_nothing(
    text: Path, capsys: pytest.CaptureFixture
) -> None:
    out = text.parent / "out.txt"
    assert main(["translate", str(text), "-o", str(out)]) == 0
    plain = out.read_text("utf-8")
    assert len(plain.splitlines()) == 2
    text.write_bytes(b"\xef\xbb\xbf" + TEXT.encode())
    assert main(["translate", str(text), "-o", "-"]) == 0
    assert capsys.readouterr().out == plain
    text.write_text("")
    assert main(["translate", str(text), "-o", str(out)]) == 0
    assert out.read_bytes() == b""


def test_a_dash_is_standard_input_and_a_reader_may_leave() -> None:
    command = [sys.executable, "-m", "anaphora_nmt.cli", "translate", "-"]
    told = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    process = subprocess.Popen(
        command, env=told, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdin and process.stdout and process.stderr
    process.stdout.close()
    process.stdin.write(TEXT.encode())
    process.stdin.close()
    assert (process.stderr.read(), process.wait(120)) == (b"", 0)
    process.stderr.close()
