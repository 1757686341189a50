"""The log of a process that is killed: data that may be on disk, and data that must be on disk.

The child writes lines into a pipe, which survive a kill; the parent collects them in a `Record`.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from anaphora.core.edits import Comment
from anaphora.core.project import DocumentInfo
from anaphora.core.segment import Segment, Status


def fingerprint(
    documents: Iterable[DocumentInfo], segments: Iterable[Segment], comments: Iterable[Comment]
) -> str:
    """A hash of a project's content: its documents, segments in order, and comments."""
    content = [
        [(i.id, i.name, i.format, i.sha256, i.language) for i in documents],
        [
            (s.id, s.document, s.block, s.span, s.source, s.target, int(s.status), s.tags, s.file_target)
            for s in segments
        ],
        sorted((c.id, c.segment, c.author, c.time, c.text) for c in comments),
    ]
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:16]


def confirmed(segments: Iterable[Segment]) -> dict[str, str]:
    """The beginnings of confirmed targets by segment id, for messages."""
    return {s.id: s.target[:20] for s in segments if s.status is Status.CONFIRMED}


class Ledger:
    """The child's end of the pipe."""

    def __init__(self, handle: int) -> None:
        self._handle = handle

    def write(self, kind: str, *values: object) -> None:
        """Write a line, which arrives even if this process is killed immediately after."""
        line = json.dumps([kind, *values]).encode() + b"\n"
        while line:
            line = line[os.write(self._handle, line) :]


@dataclass
class Record:
    """The lines of one project; see `kill_worker` for when each line is written.

    Attributes:
        project: its file.
        allowed: contents that may be found: the last one that is certainly on disk, and later ones.
        known: all contents that it ever had.
        kept: the confirmed segments of the content that is certainly on disk.
        under_way: operations that have begun but not ended.
        files: allowed checksums of exported files ("" if a file may be missing).
        history: confirmed texts that the history must contain, by segment.
        moved: segments of joins, splits and changed files; they share their history with other segments.
        terms: lists of terms that may be found, like `allowed`.
        rules: rules for the engine's memory that may be found, like `allowed`.
        imports: allowed numbers of units of an import: 0 or all while it is under way.
        backed_up: a content that must be in a backup.
        failures: faults that the child found.
        acknowledged: number of reports that everything is on disk.
        last: the latest operations and imports, for messages.
        done: number of completed operations.
        pending: the beginning of an incomplete line.
        is_opened_only: True for an old or damaged project, which is only opened.
    """

    project: Path | None = None
    allowed: list[str] = field(default_factory=list)
    known: set[str] = field(default_factory=set)
    kept: dict[str, str] = field(default_factory=dict)
    under_way: set[str] = field(default_factory=set)
    files: dict[str, list[str]] = field(default_factory=dict)
    history: dict[str, list[str]] = field(default_factory=dict)
    moved: set[str] = field(default_factory=set)
    terms: list[list[str]] = field(default_factory=lambda: [[]])
    rules: list[str] = field(default_factory=lambda: [""])
    imports: dict[str, list[int]] = field(default_factory=dict)
    backed_up: str = ""
    failures: list[str] = field(default_factory=list)
    acknowledged: int = 0
    last: deque[str] = field(default_factory=lambda: deque(maxlen=16))
    done: Counter[str] = field(default_factory=Counter)
    pending: bytes = b""
    is_opened_only: bool = False

    def process(self, line: bytes) -> None:
        """Process a line; a line cut off by a kill is ignored."""
        if not line.endswith(b"\n"):
            return
        kind, *values = json.loads(line)
        getattr(self, f"_process_{kind}")(*values)

    def restart(self, content: str) -> None:
        """The next process begins with this content."""
        self.allowed = [content]
        self.under_way = set()

    def _process_begin(self, operation: str) -> None:
        self.under_way.add(operation)
        self.last.append(operation)

    def _process_end(self, operation: str) -> None:
        self.under_way.discard(operation)
        self.done[operation] += 1

    def _process_project(self, path: str) -> None:
        if self.project != Path(path):
            self.project, self.backed_up = Path(path), ""

    def _process_state(self, content: str) -> None:
        self.allowed.append(content)
        self.known.add(content)

    def _process_kept(self, content: str, kept: dict[str, str]) -> None:
        self.allowed, self.kept = [content], kept
        self.known.add(content)
        self.acknowledged += 1

    def _process_file(self, path: str, sha256: str) -> None:
        self.files.setdefault(path, [""]).append(sha256)

    def _process_written(self, path: str, sha256: str) -> None:
        self.files[path] = [sha256]

    def _process_history(self, history: dict[str, list[str]]) -> None:
        self.history = history

    def _process_moved(self, segments: list[str]) -> None:
        self.moved.update(segments)

    def _process_terms(self, sources: list[str]) -> None:
        self.terms.append(sources)

    def _process_terms_kept(self) -> None:
        del self.terms[:-1]

    def _process_rules(self, rules: str) -> None:
        self.rules.append(rules)

    def _process_rules_kept(self, rules: str) -> None:
        self.rules = [rules]

    def _process_import(self, name: str, count: int) -> None:
        self.imports[name] = [0, count]

    def _process_imported(self, name: str) -> None:
        del self.imports[name][:-1]
        self.last.append(f"{name} is done")

    def _process_backed_up(self, content: str) -> None:
        self.backed_up = content

    def _process_failure(self, text: str) -> None:
        self.failures.append(text)


def file_checksum(path: Path) -> str:
    """The checksum of a file; "" if it does not exist."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16] if path.exists() else ""
