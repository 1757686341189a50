"""Translating many documents by several processes, and recovery from failures."""

# mypy: disable-error-code="arg-type, return-value"
# The double of a translator has only the parts used here.
from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path

import psutil
import pytest
from disks import small_disk
from memoryless_translator import MemorylessTranslator
from small_documents import POOR, make, write_texts

from anaphora.cli.batch.ledger import FILE_NAME, Ledger
from anaphora.cli.batch.plan import plan
from anaphora.cli.batch.pool import Pool
from anaphora.cli.batch.translating import Settings
from anaphora.cli.headless import translate_file
from anaphora.cli.headless_help import help_of
from anaphora.cli.outcome import DONE, Outcome
from anaphora.core.errors import ExportError
from anaphora.core.language_pair import CHINESE_TO_ENGLISH
from anaphora.formats.base.format import FormatError
from anaphora.main import main
from anaphora.system.locations import default_model, glossary
from anaphora_nmt.api import Translator
from anaphora_nmt.types import (
    EngineInfo,
    MemoryVersion,
    SearchOptions,
    SourceSegment,
    SourceTerm,
    Suggestion,
)

TEXTS = {
    "a.md": "# 标题\n\n打开文件。保存 `x.py`。\n",
    "sub/b.txt": "关闭窗口。\n第二行。\n",
    "sub/deeper/c.html": "<p>点击<b>确定</b>。</p>",
    "d.srt": "1\n00:00:01,000 --> 00:00:02,000\n你好。\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = write_texts(tmp_path / "in", {**TEXTS, ".hidden/e.txt": "隐藏。"})
    (root / "picture.png").write_bytes(b"\x89PNG")
    return root


def names(root: Path) -> set[str]:
    return {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()} - {FILE_NAME}


def test_documents_are_found_with_the_largest_first(folder: Path, tmp_path: Path) -> None:
    found = plan([folder], tmp_path / "out", CHINESE_TO_ENGLISH)
    assert {job.name for job in found.jobs} == set(TEXTS) and found.unsupported == 1
    assert [job.size for job in found.jobs] == sorted((job.size for job in found.jobs), reverse=True)
    assert all(job.destination == tmp_path / "out" / job.name for job in found.jobs)
    some = plan([folder], tmp_path / "out", CHINESE_TO_ENGLISH, ("*.txt", "*.md"), ("sub/*",))
    assert [job.name for job in some.jobs] == ["a.md"]
    inside = plan([folder], folder / "sub", CHINESE_TO_ENGLISH)
    assert {job.name for job in inside.jobs} == {"a.md", "d.srt"}, "the output is not an input"


def test_impossible_runs_are_refused_before_the_work(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="is the source to translate"):
        plan([folder], folder, CHINESE_TO_ENGLISH)
    with pytest.raises(FormatError, match="does not exist"):
        plan([tmp_path / "none"], tmp_path / "out", CHINESE_TO_ENGLISH)
    with pytest.raises(SystemExit):
        main(["translate", str(folder)])
    with pytest.raises(SystemExit):
        main(["translate", str(folder / "a.md"), "--resume"])


def test_a_folder_is_translated_and_a_run_is_continued(folder: Path, tmp_path: Path, capsys) -> None:
    out, report = tmp_path / "out", tmp_path / "report.json"
    command = ["translate", "--pseudo", str(folder), "-o", str(out), "--jobs", "2", "--report", str(report)]
    (folder / "broken.docx").write_bytes(b"PK")
    assert main(command) == 1
    assert names(out) == set(TEXTS), "the broken document is reported, the others are translated"
    written = json.loads(report.read_text("utf-8"))
    by_name = {each["name"]: each for each in written["documents"]}
    assert by_name["a.md"]["status"] == DONE and by_name["a.md"]["words"] == 8
    assert by_name["broken.docx"]["status"] == "failed" and "complete" in by_name["broken.docx"]["error"]
    assert written["total"]["done"] == len(TEXTS)
    capsys.readouterr()
    assert main(command) == 1
    assert "not empty" in capsys.readouterr().err, "nothing is replaced without --resume"
    (folder / "broken.docx").unlink()
    (folder / "a.md").write_text("改了。\n", "utf-8")
    with (out / FILE_NAME).open("a", encoding="utf-8") as file:
        file.write('{"settings": "cut of')
    times = {name: (out / name).stat().st_mtime_ns for name in TEXTS}
    assert main([*command, "--resume"]) == 0
    changed = {name for name in TEXTS if (out / name).stat().st_mtime_ns != times[name]}
    assert changed == {"a.md"} and "改了" in (out / "a.md").read_text("utf-8")
    assert "(3 earlier)" in capsys.readouterr().out
    (out / FILE_NAME).unlink()
    assert main([*command, "--resume"]) == 1, "the files are not from this command"
    assert "not empty" in capsys.readouterr().err


def test_files_that_begin_with_a_tilde_are_documents_too(tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("~$letter.txt", "a.txt"):
        (tmp_path / name).write_text("你好。\n", "utf-8")
    assert main(["translate", "--pseudo", "~$letter.txt", "a.txt", "-o", "out"]) == 0
    assert names(tmp_path / "out") == {"~$letter.txt", "a.txt"}


@pytest.mark.skipif(sys.platform == "win32", reason="no file is called so there")
def test_control_characters_in_file_names_are_not_printed(qapp, tmp_path: Path, capsys) -> None:
    root, out = tmp_path / "in", tmp_path / "out"
    write_texts(root, {'\x1b]0;owned\x07\n{"done": 9}.docx': "PK", "b\x1b[2J.txt": "打开3。\n"})
    (root / "gone\x1b[31m.txt").symlink_to("nothing")
    assert main(["translate", "--pseudo", str(root), "-o", str(out), "--jobs", "1"]) == 1
    said = capsys.readouterr().err
    assert "\x1b" not in said and "\x07" not in said
    assert ']0;owned {"done": 9}.docx: ' in said and "skipped: gone[31m.txt: " in said
    (out / "b\x1b[2J.po").write_text('msgid "打开3。"\nmsgstr "Opens 4."\n', "utf-8")
    assert main(["check", str(out / "b\x1b[2J.po")]) == 1
    said = capsys.readouterr()
    assert "b[2J.po:1: number-missing" in said.out and "\x1b" not in said.out + said.err


@pytest.mark.skipif(sys.platform != "linux", reason="names are text there")
def test_a_name_in_another_encoding_is_translated_and_reported(tmp_path: Path, capsys) -> None:
    root, out, report = tmp_path / "in", tmp_path / "out", tmp_path / "report.json"
    root.mkdir()
    name = os.fsdecode("你好.txt".encode("gbk"))
    (root / name).write_text("打开3。\n", "utf-8")
    command = ["translate", "--pseudo", str(root), "-o", str(out), "--report", str(report), "--resume"]
    for before in (0, 1):
        assert main(command) == 0
        assert f"({before} earlier)" in capsys.readouterr().out
        (document,) = json.loads(report.read_text("utf-8"))["documents"]
        assert document["name"] == name and (out / name).exists()
    assert Outcome.from_plain(document).is_done
    assert main(["translate", "--pseudo", str(root / name), "-o", str(tmp_path / name)]) == 0


def test_an_incomplete_record_does_not_affect_others(folder: Path, tmp_path: Path, capsys) -> None:
    """A full disk may end the file in the middle of a character."""
    out = tmp_path / "out"
    command = ["translate", "--pseudo", str(folder), "-o", str(out), "--resume", "--jobs", "1"]
    assert main([*command, "--include", "*.md"]) == 0
    with (out / FILE_NAME).open("ab") as file:
        file.write('{"settings": "第'.encode()[:-1])
    assert main(command) == 0
    assert main(command) == 0
    assert "(4 earlier)" in capsys.readouterr().out, "later records count"


def test_the_output_folder_is_never_an_input(folder: Path, tmp_path: Path) -> None:
    made = folder / "made" / "f.txt"
    made.parent.mkdir()
    made.write_text("译文。\n", "utf-8")
    link = tmp_path / "link"
    link.symlink_to(folder)
    for out in (folder / "sub" / ".." / "made", link / "made"):
        assert {job.name for job in plan([folder], out, CHINESE_TO_ENGLISH).jobs} == set(TEXTS)


def test_after_a_full_disk_the_run_can_continue(folder: Path, tmp_path: Path, capsys) -> None:
    (folder / "large.txt").write_text(("第一句" * 30 + "。\n") * 1000, "utf-8")
    with small_disk(tmp_path / "disk", "600k") as disk:
        filler = disk / "filler"
        out = disk / "out"
        command = ["translate", "--pseudo", str(folder), "-o", str(out), "--jobs", "1", "--resume"]
        filler.write_bytes(b"x" * 400_000)
        assert main(command) == 1
        printed = capsys.readouterr()
        assert "large.txt: " in printed.err and "No space left" in printed.err and "1 failed" in printed.out
        assert names(out) == set(TEXTS), "the other documents are complete, and this one left no file"
        filler.unlink()
        assert main(command) == 0
        assert names(out) == {*TEXTS, "large.txt"} and "(4 earlier)" in capsys.readouterr().out


def test_unreadable_documents_are_reported_and_the_others_are_translated(
    folder: Path, tmp_path: Path
) -> None:
    closed = folder / "closed.txt"
    closed.write_text("你好。\n", "utf-8")
    closed.chmod(0)  # a superuser can read it
    failed = {"a.md"} | (set() if os.access(closed, os.R_OK) else {"closed.txt"})
    jobs = plan([folder], tmp_path / "out", CHINESE_TO_ENGLISH).jobs
    (folder / "a.md").unlink()  # after planning, before its turn
    with Pool(Settings(CHINESE_TO_ENGLISH, None), None, 2) as pool:
        outcomes = {job.name: outcome for job, outcome in pool.outcomes(jobs)}
    assert {name for name, outcome in outcomes.items() if not outcome.is_done} == failed
    assert all(name in outcomes[name].error for name in failed)
    assert names(tmp_path / "out") == {*TEXTS, "closed.txt"} - failed


def test_documents_with_other_settings_are_translated_again(tmp_path: Path, folder: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    job = plan([folder], out, CHINESE_TO_ENGLISH).jobs[0]
    Ledger(out, "one").add(job, Outcome(job.name, DONE, findings=((1, "x"),)))
    assert Ledger(out, "one").outcomes() == {
        (job.name, job.digest): Outcome(job.name, DONE, findings=((1, "x"),))
    }
    assert Ledger(out, "two").outcomes() == {}


class Mortal(MemorylessTranslator):
    """A translator that writes texts in brackets; a `deadly` source ends the process."""

    info = EngineInfo("mortal", "cpu", 1, "float32")

    def __init__(self, deadly: Callable[[str], bool]) -> None:
        self._deadly = deadly
        self._sources: dict[str, str] = {}

    def open_document(self, document: str, segments: Sequence[SourceSegment]) -> MemoryVersion:
        self._sources = {segment.id: segment.text for segment in segments}
        return MemoryVersion(document, 0)

    def close_document(self, document: str) -> None:
        self._sources.clear()

    def translate(
        self,
        document: str,
        segment: str,
        options: SearchOptions = SearchOptions(),
        cancel: Callable[[], bool] | None = None,
        terms: Sequence[SourceTerm] = (),
    ) -> Suggestion:
        if self._deadly(self._sources[segment]):
            os.kill(os.getpid(), signal.SIGKILL)
        return Suggestion(segment, f"<{self._sources[segment]}>", 0.0, MemoryVersion(document, 0))


@pytest.mark.skipif(sys.platform != "linux", reason="processes are not forked")
def test_a_dying_process_loses_only_its_document(folder: Path, tmp_path: Path) -> None:
    once = tmp_path / "once"

    def deadly(source: str) -> bool:
        if "第二行" in source and not once.exists():
            once.touch()
            return True
        return "确定" in source

    jobs = plan([folder], tmp_path / "out", CHINESE_TO_ENGLISH).jobs
    settings = Settings(CHINESE_TO_ENGLISH, tmp_path)
    with Pool(settings, lambda: Mortal(deadly), 2) as pool:
        outcomes = [outcome for _, outcome in pool.outcomes(jobs)]
    assert sorted(each.name for each in outcomes) == sorted(TEXTS), "each once"
    failed = {each.name: each.error for each in outcomes if not each.is_done}
    assert list(failed) == ["sub/deeper/c.html"] and "ended unexpectedly" in failed["sub/deeper/c.html"]
    assert names(tmp_path / "out") == set(TEXTS) - {"sub/deeper/c.html"}
    assert (tmp_path / "out" / "sub" / "b.txt").read_text("utf-8") == "<关闭窗口。>\n<第二行。>\n"
    assert not psutil.Process().children(recursive=True)


MOMENTS = {
    "in a hook of a fork": "os.register_at_fork(before=ask)",
    "while pickle imports": """
def importing(name, *rest):
    if name == "pathlib":
        ask()
    return imported(name, *rest)

imported, builtins.__import__ = builtins.__import__, importing
""",
    "in a finalizer": """
class Left:
    def __del__(self):
        ask()

send = Connection.send
Connection.send = lambda own, what: (Left(), send(own, what))
""",
}
"""An exception raised by a signal handler would be lost or replaced there."""


@pytest.mark.skipif(sys.platform != "linux", reason="processes are not forked, signals are POSIX")
@pytest.mark.parametrize("moment", MOMENTS)
def test_a_signal_ends_the_run_at_any_moment(moment: str, folder: Path, tmp_path: Path) -> None:
    script = f"""
import builtins, os, signal
from multiprocessing.connection import Connection
from pathlib import Path
from anaphora.cli.batch.plan import plan
from anaphora.cli.batch.pool import Pool
from anaphora.cli.batch.translating import Settings
from anaphora.core.language_pair import CHINESE_TO_ENGLISH

asked = []

def ask():
    if not asked:
        asked.append(os.kill(os.getpid(), signal.SIGTERM))

def end(*_):
    raise KeyboardInterrupt

signal.signal(signal.SIGTERM, end)
jobs = plan([Path({str(folder)!r})], Path({str(tmp_path / "out")!r}), CHINESE_TO_ENGLISH).jobs
{MOMENTS[moment]}
try:
    with Pool(Settings(CHINESE_TO_ENGLISH, None), None, 1) as pool:
        print("went on", *pool.outcomes(jobs))
except KeyboardInterrupt:
    print("ended" if asked else "not asked")
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout == "ended\n", done


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="processes are not forked, signals are POSIX")
def test_a_killed_and_cancelled_run_continues_with_the_same_result(folder: Path, tmp_path: Path) -> None:
    """With the real engine: one of two processes is killed, SIGTERM ends the run, another continues it."""
    documents = {**TEXTS, "long.txt": "".join(f"第{number}个节点保存账本的记录。\n" for number in range(8))}
    (folder / "long.txt").write_text(documents["long.txt"], "utf-8")
    out = tmp_path / "out"
    command = [sys.executable, "-m", "anaphora.main", "translate", str(folder), "-o", str(out), "--jobs", "2"]
    output = tmp_path / "said.txt"
    with output.open("wb") as file:
        run = subprocess.Popen(command, stderr=file, stdout=file)
    parent, end = psutil.Process(run.pid), time.monotonic() + 120
    while len(children := parent.children()) < 2:
        assert run.poll() is None and time.monotonic() < end
        time.sleep(0.01)
    children[0].kill()
    run.send_signal(signal.SIGTERM)
    assert run.wait(60) == 130, output.read_text("utf-8")
    assert not psutil.wait_procs(children, 30)[1]
    left = [p for p in out.rglob("*") if p.is_file() and p.name != FILE_NAME] if out.exists() else []
    assert {path.relative_to(out).as_posix() for path in left} <= {*documents}, "no incomplete file"
    assert subprocess.run([*command, "--resume"], capture_output=True, check=False).returncode == 0
    assert names(out) == {*documents}
    translator = Translator.load(default_model(), "cpu", 1)
    with help_of((), (), dictionary=glossary("zh", "en")) as given:
        for name in documents:
            alone = tmp_path / Path(name).name
            translate_file(folder / name, alone, translator, help_=given)
            assert (out / name).read_bytes() == alone.read_bytes()


@pytest.mark.slow
def test_two_processes_give_the_same_translations_as_one(tmp_path: Path) -> None:
    """With the real engine and one-sentence documents in eight formats."""
    root, out, report = tmp_path / "in", tmp_path / "out", tmp_path / "report.json"
    who, what = ("我", "你", "他们"), ("读取", "保存")
    lines = [[f"{one}{does}{number}页。"] for one, does, number in product(who, what, (2, 3, 5, 7))]
    lines[-1] = [POOR]
    documents = make(root, lines)
    assert len(documents) == 24 and len({Path(name).suffix for name in documents}) == 8
    assert main(["translate", str(root), "-o", str(out), "--jobs", "2", "--report", str(report)]) == 0
    results = {each["name"]: each for each in json.loads(report.read_text("utf-8"))["documents"]}
    translator = Translator.load(default_model(), "cpu", 1)
    with help_of((), (), dictionary=glossary("zh", "en")) as given:
        for name in documents:
            alone = tmp_path / Path(name).name
            made = translate_file(root / name, alone, translator, help_=given)
            assert (out / name).read_bytes() == alone.read_bytes(), name
            result, findings = results[name], [list(each) for each in made.findings]
            assert (result["words"], result["segments"], result["findings"]) == (
                made.words,
                made.segments,
                findings,
            )
            assert result["expected"] == made.expected and 0 < result["expected"] < 1
