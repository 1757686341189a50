"""Folders of documents by one process and by several: the same to the letter, how fast, how much memory.

    python tests/benchmarks/bench_batch.py CORPUS [--documents 60] [--segments 8] [--jobs 2]

Documents in eight formats are made of a corpus's sentences, and translated by `anaphora translate` with one
process and with several. Printed: wall clock of both, their ratio, the private memory of each process (what
it does not share with the others), and whether any file differs. On a busy machine only the last two count.
"""

from __future__ import annotations

import argparse
import html
import os
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path

import psutil

from anaphora.command_line.batch.ledger import NAME
from anaphora_nmt.data.corpus import read_documents

Lines = Sequence[str]
_CHART = "http://schemas.openxmlformats.org/"


def docx(lines: Lines) -> dict[str, str]:
    body = "".join(f"<w:p><w:r><w:t>{html.escape(line)}</w:t></w:r></w:p>" for line in lines)
    word = f"{_CHART}wordprocessingml/2006/main"
    return {
        "[Content_Types].xml": f'<Types xmlns="{_CHART}package/2006/content-types"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override '
        'PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.'
        'wordprocessingml.document.main+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{_CHART}package/2006/relationships"><Relationship Id="r1" '
        f'Type="{_CHART}officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/>'
        "</Relationships>",
        "word/document.xml": f'<w:document xmlns:w="{word}"><w:body>{body}</w:body></w:document>',
    }


def srt(lines: Lines) -> str:
    times = (
        f"00:{n // 60:02}:{n % 60:02},000 --> 00:{n // 60:02}:{n % 60:02},900" for n in range(len(lines))
    )
    return "\n".join(
        f"{n}\n{time}\n{line}\n" for n, (time, line) in enumerate(zip(times, lines, strict=True), 1)
    )


def po(lines: Lines) -> str:
    head = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n'
    escaped = (line.replace("\\", r"\\").replace('"', r"\"") for line in dict.fromkeys(lines))
    return head + "".join(f'\nmsgid "{line}"\nmsgstr ""\n' for line in escaped)


def xliff(lines: Lines) -> str:
    sources = (f"<source>{html.escape(line)}</source>" for line in lines)
    units = "".join(f'<trans-unit id="{n}">{source}</trans-unit>' for n, source in enumerate(sources))
    return (
        '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file original="a" '
        'datatype="plaintext" source-language="zh" target-language="en">'
        f"<body>{units}</body></file></xliff>"
    )


def xhtml(lines: Lines) -> str:
    return "<html><body>" + "".join(f"<p>{html.escape(line)}</p>" for line in lines) + "</body></html>"


MAKERS: dict[str, Callable[[Lines], str | dict[str, str]]] = {
    ".txt": "\n".join,
    ".md": "\n\n".join,
    ".html": xhtml,
    ".srt": srt,
    ".po": po,
    ".xliff": xliff,
    ".docx": docx,
    ".htm": xhtml,
}


def make(folder: Path, corpus: Path, documents: int, segments: int) -> None:
    """Write documents of a corpus's sources, the formats in turn, some in subfolders."""
    sources = [source for document in read_documents(corpus) for source, _ in document.pairs]
    for number, suffix in enumerate(islice([*MAKERS] * documents, documents)):
        lines = [" ".join(line.split()) for line in sources[number * segments : (number + 1) * segments]]
        path = folder / f"part{number % 3}" / f"{number:03}{suffix}"
        path.parent.mkdir(parents=True, exist_ok=True)
        content = MAKERS[suffix](lines)
        if isinstance(content, str):
            path.write_text(content, "utf-8")
            continue
        with zipfile.ZipFile(path, "w") as package:
            for name, text in content.items():
                package.writestr(name, text)


def run(folder: Path, out: Path, jobs: int) -> tuple[float, list[float]]:
    """Seconds, and the private MB of each process at most."""
    command = [
        sys.executable,
        "-m",
        "anaphora.main",
        "translate",
        str(folder),
        "-o",
        str(out),
        "--jobs",
        str(jobs),
    ]
    begun, most = time.perf_counter(), dict[int, float]()
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, env={**os.environ, "OMP_NUM_THREADS": "1"})
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(0.5):
            for child in psutil.Process(process.pid).children():
                try:
                    most[child.pid] = max(most.get(child.pid, 0.0), child.memory_full_info().uss / 1e6)
                except psutil.Error:
                    continue

    watcher = threading.Thread(target=watch)
    watcher.start()
    status = process.wait()
    seconds = time.perf_counter() - begun
    ended.set()
    watcher.join()
    if status:
        raise SystemExit(f"translating ended with status {status}")
    return seconds, sorted(most.values())


def main() -> None:
    """Make, translate, compare, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--documents", type=int, default=60)
    parser.add_argument("--segments", type=int, default=8)
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        root = Path(place)
        make(root / "in", arguments.corpus, arguments.documents, arguments.segments)
        one, _ = run(root / "in", root / "one", 1)
        many, memory = run(root / "in", root / "many", arguments.jobs)
        files = [path.relative_to(root / "one") for path in (root / "one").rglob("*") if path.is_file()]
        names = [name for name in files if name.name != NAME]
        different = [n for n in names if (root / "one" / n).read_bytes() != (root / "many" / n).read_bytes()]
    print(f"{len(names)} documents of {len(MAKERS)} formats, {arguments.segments} segments each")
    print(f"one process {one:.1f} s, {arguments.jobs} processes {many:.1f} s, ratio {one / many:.2f}")
    print("private memory of a process: " + ", ".join(f"{each:.0f} MB" for each in memory))
    print(f"files that differ: {len(different)}")


if __name__ == "__main__":
    main()
