"""`anaphora translate` for folders (progress, summary, report), and the preparation of every run."""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import signal
import sys
import tempfile
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from anaphora.cli.arguments import note_conversions, report_cancelled, write_out
from anaphora.cli.batch.cluster import Cluster
from anaphora.cli.batch.ledger import Ledger
from anaphora.cli.batch.plan import Job, Plan, plan
from anaphora.cli.batch.pool import Pool
from anaphora.cli.batch.translating import Load, Settings, load_model
from anaphora.cli.finding_formats import one_line
from anaphora.cli.headless_help import dictionary_at, import_help
from anaphora.cli.outcome import Outcome
from anaphora.cli.storage import Place, Stored
from anaphora.core.errors import AnaphoraError, ExportError, Message
from anaphora.core.language_pair import CHINESE_TO_ENGLISH, LanguagePair
from anaphora.core.reading_choices import ReadingChoices
from anaphora.system.locations import default_model, glossary, version
from anaphora.system.messages import describe_error
from anaphora_nmt.errors import AnaphoraNmtError
from anaphora_nmt.types import SourceSegment
from anaphora_text.word_forms import prepare

if TYPE_CHECKING:
    from anaphora_nmt.api import Translator


def translate_all(options: argparse.Namespace) -> int:
    out: Place = options.output
    try:
        with tempfile.TemporaryDirectory() as folder, _sigterm_as_interrupt():
            if isinstance(out, Path):
                _check_output(out, Ledger(out, ""), options.resume)  # before the model is loaded
            settings, load = prepare_run(options, Path(folder))
            documents = plan(options.input, out, settings.pair, options.include, options.exclude)
            note_conversions(job.name for job in documents.jobs)
            run = _Run(documents, _start_ledger(out, settings, options.resume), settings, load, options)
            run.translate()
    except (AnaphoraError, AnaphoraNmtError) as problem:
        print(f"anaphora: {describe_error(problem)}", file=sys.stderr)
        return 1
    except OSError as problem:
        print(f"anaphora: {problem.filename or out}: {problem.strerror}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        status = report_cancelled(f"To continue, run the same command with --resume: {out}")
        if options.ray is not None:
            # Threads of Ray Data may still run, and would crash without the cluster.
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)
        return status
    return run.report(options.report)


def prepare_run(
    options: argparse.Namespace, folder: Path, is_alone: bool = False
) -> tuple[Settings, Load | None]:
    """Import the help of a run; return its settings and a function that returns the model.

    The function is None if this process needs no model. Numbers of imported terms are printed.

    Args:
        folder: gets the imported memories, terms and packs.
        is_alone: True if this process translates a single file.
    """
    threads = options.threads or 1
    choices = ReadingChoices(options.columns, tuple(options.placeholder))
    names_language = not options.keep_language
    if options.pseudo:
        pair = CHINESE_TO_ENGLISH
        return Settings(pair, None, threads=threads, names_language=names_language, choices=choices), None
    model = options.model or default_model()
    # In a cluster, this machine may have no GPU, even if the others have GPUs.
    device = options.device if options.ray is None else "cpu"
    translator = load_model(model, device, threads)
    pair = LanguagePair(translator.info.source_language, translator.info.target_language)
    imported = import_help(folder, options.memory, options.terms, pair, options.pack)
    for each in imported:
        entries = f"{each.added + each.enriched} of {each.found} entries imported"
        skipped = f"{each.left_out} without a term in both languages, {each.too_long} too long"
        counts = f"{entries}, forbidden translations: {each.forbidden}; skipped: {skipped}"
        print(f"terms of {each.file}: {counts}", file=sys.stderr)
    help_files = (*options.memory, *options.terms, *options.pack)
    help_digests = tuple(hashlib.sha256(path.read_bytes()).hexdigest() for path in help_files)
    dictionary = glossary(pair.source_language.code, pair.target_language.code)
    if options.ray is not None:
        device = "cuda" if options.device == "cuda" else "cpu"
    elif translator.info.device == "cpu":
        device = "cpu"
    settings = Settings(
        pair,
        model,
        device,
        threads,
        folder,
        dictionary,
        help_digests,
        names_language,
        choices=choices,
        proposals=options.proposals,
    )
    if is_alone:
        return settings, lambda: translator
    if options.ray is not None:
        return settings, None
    if not settings.shares_weights:
        return settings, partial(load_model, model, options.device, threads)
    _preload(translator, dictionary)
    return settings, lambda: translator


def _preload(translator: Translator, dictionary: Path | None) -> None:
    """Load data that would otherwise be loaded on first use, so that forked processes share it."""
    translator.open_document("", [SourceSegment("0", "句子。")])
    translator.translate("", "0")
    translator.close_document("")
    if dictionary is not None:
        dictionary_at(dictionary)
    prepare()


def _check_output(out: Place, ledger: Ledger, resume: bool) -> None:
    """Raise ExportError unless `out` is new, an empty folder, or a folder with a run that is now resumed."""
    exists = out.exists()
    if exists and not out.is_dir():
        raise ExportError(Message("“{destination}” is a file.", destination=out), "Specify a folder.")
    has_ledger = ledger.exists
    if not exists or (resume and has_ledger):
        return
    if out.files() if isinstance(out, Stored) else any(out.iterdir()):
        resume_advice = Message("Use --resume to continue, or choose another folder.")
        raise ExportError(
            Message("The folder “{destination}” is not empty.", destination=out),
            resume_advice if has_ledger else Message("Choose a new folder."),
        )


def _start_ledger(out: Place, settings: Settings, resume: bool) -> Ledger:
    ledger = Ledger(out, settings.digest(version()))
    _check_output(out, ledger, resume)
    if isinstance(out, Path):
        out.mkdir(parents=True, exist_ok=True)
    ledger.begin()
    return ledger


@contextmanager
def _sigterm_as_interrupt() -> Iterator[None]:
    previous = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, previous)


class _Run:
    def __init__(
        self,
        documents: Plan,
        ledger: Ledger,
        settings: Settings,
        load: Load | None,
        options: argparse.Namespace,
    ) -> None:
        self._plan, self._ledger, self._settings, self._load = documents, ledger, settings, load
        self._options = options
        self._started = time.monotonic()
        self._outcomes: list[Outcome] = []
        self._finished_before = 0

    def translate(self) -> None:
        earlier_outcomes = self._ledger.outcomes()
        out: Place = self._options.output
        # One request for the whole storage, not one per document.
        stored = (
            {out / name for name in out.files()} if earlier_outcomes and isinstance(out, Stored) else set()
        )
        todo = []
        for job in self._plan.jobs:
            earlier = earlier_outcomes.get((job.name, job.digest))
            if earlier is not None and self._is_written(job, stored):
                self._outcomes.append(earlier)
            else:
                todo.append(job)
        self._finished_before = len(self._outcomes)
        total_bytes = bytes_left = sum(job.size for job in todo)
        with self._processes(len(todo)) as pool:
            for job, outcome in pool.outcomes(todo):
                if not outcome.is_done:
                    print(f"\r{one_line(f'{job.name}: {outcome.error}')}", file=sys.stderr)
                else:
                    self._ledger.add(job, outcome)
                self._outcomes.append(outcome)
                bytes_left -= job.size
                self._show(len(todo), 1 - bytes_left / total_bytes if total_bytes else 1.0)

    def _processes(self, max_size: int) -> Pool | Cluster:
        ray, jobs = self._options.ray, self._options.jobs
        if ray is not None:
            return Cluster(self._settings, ray, jobs)
        return Pool(self._settings, self._load, min(jobs or _core_count(), max_size))

    def _is_written(self, job: Job, stored: Collection[Place]) -> bool:
        place = job.destination
        return place in stored if isinstance(place, Stored) else place.exists()

    def _show(self, todo: int, share: float) -> None:
        outcomes = self._outcomes[self._finished_before :]
        words, seconds = sum(each.words for each in outcomes), time.monotonic() - self._started
        seconds_left = seconds * (1 - share) / share if share else 0.0
        print(
            f"{len(outcomes)}/{todo} documents, {words:,} words, {words / max(seconds, 1e-9):.0f} words/s, "
            f"{timedelta(seconds=round(seconds_left))} left ",
            end="\r",
            file=sys.stderr,
            flush=True,
        )

    def report(self, file: Path | None) -> int:
        failed = [each for each in self._outcomes if not each.is_done]
        done = [each for each in self._outcomes if each.is_done]
        print(file=sys.stderr)
        for name, why in self._plan.left_out:
            print(f"skipped: {one_line(f'{name}: {why}')}", file=sys.stderr)
        if self._plan.unsupported:
            print(f"skipped files of other types: {self._plan.unsupported}", file=sys.stderr)
        words, findings = sum(each.words for each in done), sum(len(each.findings) for each in done)
        write_out(
            f"{len(done)} of {len(self._outcomes)} documents translated ({self._finished_before} earlier), "
            f"{words:,} words, {findings} issues, {len(failed)} failed\n"
        )
        is_complete = (file is None or write_out(self._as_json(done), file)) and not failed
        return 0 if is_complete else 1

    def _as_json(self, done: Sequence[Outcome]) -> str:
        values = {
            "version": version(),
            "documents": [asdict(each) for each in sorted(self._outcomes, key=lambda each: each.name)],
            "left_out": [{"name": name, "reason": why} for name, why in self._plan.left_out],
            "total": {
                "documents": len(self._outcomes),
                "done": len(done),
                "kept_from_before": self._finished_before,
                "words": sum(each.words for each in done),
                "segments": sum(each.segments for each in done),
                "findings": sum(len(each.findings) for each in done),
                "seconds": round(time.monotonic() - self._started, 1),
            },
        }
        # Surrogates stand for undecodable bytes in names. `write_out` escapes them in the same way as JSON.
        return json.dumps(values, ensure_ascii=False, indent=1) + "\n"


def _core_count() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
