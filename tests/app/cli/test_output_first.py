"""`anaphora translate` of a folder reports an unwritable output before it loads the engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from anaphora.main import main


@pytest.mark.parametrize(
    ("is_file", "text"), [(True, "is a file. Specify a folder."), (False, "is not empty. Choose a new")]
)
def test_the_output_is_checked_before_the_model_is_loaded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], is_file: bool, text: str
) -> None:
    """Loading the engine would take 3 s of processor time."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text("打开文件。\n", "utf-8")
    out = tmp_path / "out"
    if is_file:
        out.write_text("mine", "utf-8")
    else:
        out.mkdir()
        (out / "mine.txt").write_text("mine", "utf-8")
    no_model = tmp_path / "no model"
    assert main(["translate", str(tmp_path / "in"), "-o", str(out), "--model", str(no_model)]) == 1
    assert text in capsys.readouterr().err
