"""Throws mutated and truncated files at every format: a document or a typed error, in 10 s and 1 GB.

Each file is opened as a person's file is, rendered untouched (the same bytes must come back) and with every
segment translated, and the rendering is read again: the translations must be in it. That happens in a
process of its own. Opening may take 10 s of processor time (the machine may be busy), so may each rendering,
and reading again; address space may grow by 1 GiB above that of a process with the formats imported.

With --grow, files grow instead: a fragment of each format is repeated 10, 100, … 1,000,000 times, until a
file is refused or over a limit. The exponent of time is that of the last two sizes that took more than 0.2 s:
1 is linear, 2 quadratic.

With --elements, every element and attribute of the formats' schemas that can hold text is put into a
document, at random places (XLIFF and TMX: at each kind of place where the schema allows it), and what became
of the text is counted: offered, said (counted, shown as a note, or named as left out, which the document
without the element does not do), or neither (it stands where no program shows it, or where the schema does
not allow it).

Formats are called as the folders of seeds are (xliff, of .sdlxliff, too), fragments that grow by suffixes
(xlf): another name is refused with those that there are.

Run: python tests/benchmarks/fuzz_formats.py [files] [--seed S] [--formats FORMAT…] [--only NUMBER]
     python tests/benchmarks/fuzz_formats.py --elements [FORMAT…] [--places 2]
     python tests/benchmarks/fuzz_formats.py --grow [SUFFIX…] [--most 1000000]
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import re
import resource
import select
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import fuzz_bilingual
import fuzz_growth
import fuzz_mutations
import fuzz_schema

from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.core.source import SourceDocument
from anaphora.export.pseudo_translation import pseudo_translation
from anaphora.formats.base.format import FormatError, Reading
from anaphora.formats.registry import fill, read_bytes

SECONDS = 10
BYTES = 2**30
PATIENCE = 300
"""Seconds of wall-clock time after which a process that uses no processor time counts as hung."""
_NOTHING = 0.2
"""Seconds that say nothing about growth."""
FINE = ("opened", "refused", "unreadable")
_WORD = re.compile(r"Q\d+Z")


@dataclass(frozen=True)
class Outcome:
    """What became of one file.

    Attributes:
        what: opened, refused, crashed, changed (other bytes untouched), lost (a translation is not in the
            rendering), unreadable (what was rendered is refused with a typed error: a damaged text may
            be taken for no text any more once its Chinese is gone), too slow, too big.
        seconds: of processor time, for everything together.
        peak: MiB of memory at most.
    """

    what: str
    detail: str
    seconds: float = 0.0
    peak: float = 0.0


@dataclass(frozen=True)
class Case:
    """One mutated file."""

    number: int
    kind: str
    name: str
    data: bytes


def case(number: int, seed: int, seeds: dict[str, list[tuple[str, bytes]]]) -> Case:
    """The same file for the same number and seed."""
    chance = random.Random(f"{seed}:{number}")
    kind = list(seeds)[number % len(seeds)]
    name, data = chance.choice(seeds[kind])
    return Case(number, kind, name, fuzz_mutations.mutate(kind, data, chance))


@dataclass(frozen=True)
class Said:
    """What a document says of the text that it does not offer.

    Attributes:
        notes: what a reader should know.
    """

    notes: frozenset[str] = frozenset()


def said(document: SourceDocument) -> Said:
    """What a document says of the text that it does not offer."""
    return Said(frozenset(document.notes))


def work(name: str, data: bytes, before: Said, wind: Callable[[], None] | None = None) -> Outcome:
    """Open, render and reread one file.

    Args:
        before: what the document says without the text that `fuzz_schema` puts in.
        wind: called before each step after the first, to give it its seconds. There is no limit
            without it: `_wind` sets a timer that ends its process.
    Raises:
        Exception: whatever a format lets through; only a `FormatError` is foreseen.
    """
    wind = wind or (lambda: None)
    try:
        document = read_bytes(data, name)
    except FormatError as error:
        return Outcome("refused", error.message if error.advice else f"no advice: {error.message}")
    wind()
    try:
        if _rendered(document, {}) != data:
            return Outcome("changed", "an untouched rendering has other bytes")
        wind()
        wanted = {s.id: _translation(n, s) for n, s in enumerate(document.segments) if _free(s.status)}
        rendering = _rendered(document, wanted)
    except FormatError as error:
        return Outcome("opened", f"not rendered: {error.message}")
    wind()
    try:
        again = read_bytes(rendering, name, encoding=document.encoding, choices=document.choices)
    except FormatError as error:
        return Outcome("unreadable", error.message)
    found = {word for s in again.segments for text in (s.source, s.target) for word in _WORD.findall(text)}
    if document.encoding and document.encoding != again.encoding:
        # A short text in an old encoding may be taken for another one: its bytes are right all the same.
        found |= set(_WORD.findall(rendering.decode(document.encoding, "replace")))
    lost = [text for text in wanted.values() if text.split()[0] not in found]
    if lost:
        return Outcome("lost", f"{len(lost)} of {len(wanted)}: {lost[:3]}")
    return Outcome("opened", _fate(document, before))


def _fate(document: SourceDocument, before: Said) -> str:
    """What became of the text that `fuzz_schema` puts in."""
    segments, after = document.segments, said(document)
    if any(fuzz_schema.SAYS in text for s in segments for text in (s.source, s.target)):
        return "offered"
    is_note = any(fuzz_schema.SAYS in note.text for s in segments for note in s.notes)
    return "said" if is_note or after.notes - before.notes else "neither"


def _wind() -> None:
    """Give the process its seconds anew."""
    # The default action of SIGPROF ends the process wherever it is, inside a C library, too.
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)


def _free(status: Status) -> bool:
    return status is not Status.LOCKED


def _translation(number: int, segment: Segment) -> str:
    """A word to find again, and a pseudo-translation: properties stay Chinese, and so are offered again."""
    return f"Q{number}Z {pseudo_translation(segment.source)}"


def _rendered(document: SourceDocument, wanted: dict[str, str]) -> bytes:
    """As an export does: bilingual files get all segments with how far they are."""
    states = {key: SegmentState(text, Status.CONFIRMED) for key, text in wanted.items()}
    segments = [segment.with_state(states.get(segment.id, segment.state)) for segment in document.segments]
    return fill(document.data, document.format, segments, Reading(document.language, document.encoding))


def _size(key: str) -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(key + ":"))


def _child(name: str, data: bytes, before: Said, pipe: int) -> NoReturn:
    """Work on one file within the limits, and tell what came of it."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    limit = _size("VmSize") + BYTES
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    try:
        _wind()
        outcome = work(name, data, before, _wind)
    except MemoryError:
        outcome = Outcome("too big", traceback.format_exc(limit=-6))
    except BaseException:
        outcome = Outcome("crashed", traceback.format_exc(limit=-12))
    answer = json.dumps([outcome.what, outcome.detail[:4000], time.process_time(), _size("VmHWM") / 2**20])
    os.write(pipe, answer.encode())
    os._exit(0)


def open_and_render(name: str, data: bytes, before: Said | None = None) -> Outcome:
    """What becomes of a file, in a process of its own; `before` as in `work`."""
    out, into = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(out)
        _child(name, data, before or Said(), into)
    os.close(into)
    try:
        if not select.select([out], [], [], PATIENCE)[0]:
            os.kill(child, signal.SIGKILL)
        answer = b"".join(iter(lambda: os.read(out, 65536), b""))
    finally:
        os.close(out)
    status = os.waitpid(child, 0)[1]
    if answer:
        return Outcome(*json.loads(answer))
    ended = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    if ended in (signal.SIGPROF, signal.SIGKILL):
        return Outcome("too slow", f"stopped by {signal.Signals(ended).name}", SECONDS)
    return Outcome("crashed", f"ended with status {status}")


def run(
    numbers: range, seed: int, save: Path | None = None, formats: Sequence[str] = ()
) -> list[tuple[Case, Outcome]]:
    """Judge these cases; files that fail are saved with what was wrong.

    Args:
        formats: kinds of seeds, of which the cases take turns; all if there are none.
    """
    seeds = fuzz_mutations.seeds()
    seeds = {kind: seeds[kind] for kind in formats} if formats else seeds
    results = []
    for number in numbers:
        if save is not None and number % 200 == 0:
            print(f"{number} of {len(numbers)}", file=sys.stderr, flush=True)
        one = case(number, seed, seeds)
        outcome = open_and_render(one.name, one.data)
        results.append((one, outcome))
        if save is not None and outcome.what not in FINE[:2]:
            save.mkdir(parents=True, exist_ok=True)
            path = save / f"{seed}-{number}-{one.name}"
            path.write_bytes(one.data)
            path.with_name(path.name + ".log").write_text(f"{outcome.what}\n{outcome.detail}\n")
            print(f"{outcome.what}: --seed {seed} --only {number} ({one.name})", file=sys.stderr, flush=True)
    return results


def table(results: list[tuple[Case, Outcome]]) -> str:
    """Counts by format, and what was slowest and largest."""
    columns = ("opened", "refused", "crashed", "too slow", "too big", "changed", "lost", "unreadable")
    counts = {kind: Counter[str]() for kind in (*dict.fromkeys(one.kind for one, _ in results), "all")}
    for one, outcome in results:
        counts[one.kind][outcome.what] += 1
        counts["all"][outcome.what] += 1
    lines = ["format   files  " + "  ".join(columns)]
    for kind, counted in counts.items():
        numbers = "  ".join(f"{counted[column]:>{len(column)}}" for column in columns)
        lines.append(f"{kind:8} {sum(counted.values()):5}  {numbers}")
    slowest = max(results, key=lambda result: result[1].seconds)
    largest = max(results, key=lambda result: result[1].peak)
    lines.append(f"slowest: {slowest[1].seconds:.1f} s of processor time (number {slowest[0].number})")
    lines.append(
        f"largest: {largest[1].peak:.0f} MiB in memory, Python included (number {largest[0].number})"
    )
    return "\n".join(lines)


def _with_element(
    kind: str, element: str, host: tuple[str, bytes], places: int, seed: int
) -> Iterator[tuple[str, bytes]]:
    """Names and contents of files with an element in them."""
    if kind in fuzz_bilingual.KINDS:
        yield from fuzz_bilingual.files(kind, element)
        return
    for place in range(places):
        chance = random.Random(f"{seed}:{kind}:{element}:{place}")
        yield host[0], fuzz_schema.inserted(kind, host[1], element, chance)


def insert_all(kinds: Sequence[str], places: int, seed: int, save: Path) -> int:
    """Print what becomes of text in each element of the schemas; 1 if a file failed, else 0."""
    seeds, failed = fuzz_mutations.seeds(), 0
    columns = ("offered", "said", "neither", "refused", "unreadable", "failed")
    print("format   elements  files  " + "  ".join(columns))
    for kind in kinds or [kind for kind in seeds if fuzz_schema.elements(kind)]:
        is_bilingual = kind in fuzz_bilingual.KINDS
        elements = fuzz_bilingual.names(kind) if is_bilingual else fuzz_schema.elements(kind)
        host = fuzz_schema.HOSTS.get(kind, seeds[kind][0])
        befores: dict[str, Said] = {}
        counted, neither = Counter[str](), Counter[str]()
        for element in elements:
            for name, changed in _with_element(kind, element, host, places, seed):
                if name not in befores:
                    data = fuzz_bilingual.host(kind, name) if is_bilingual else host[1]
                    befores[name] = said(read_bytes(data, name))
                outcome = open_and_render(name, changed, befores[name])
                fate = outcome.detail if outcome.what == "opened" else outcome.what
                fate = fate if fate in columns else "offered" if "not rendered" in fate else "failed"
                counted[fate] += 1
                neither[element] += fate == "neither"
                if outcome.what not in FINE:
                    failed = 1
                    save.mkdir(parents=True, exist_ok=True)
                    (save / f"{kind}-{element.replace(':', '_')}-{counted.total()}-{name}").write_bytes(
                        changed
                    )
                    print(f"{outcome.what}: {kind} {element}: {outcome.detail}", file=sys.stderr)
        numbers = "  ".join(f"{counted[column]:>{len(column)}}" for column in columns)
        print(f"{kind:8} {len(elements):8} {counted.total():6}  {numbers}", flush=True)
        print(f"  neither: {' '.join(element for element in neither if neither[element])}", file=sys.stderr)
    return failed


@dataclass(frozen=True)
class Growth:
    """How a kind of file grew.

    Attributes:
        times: how often the fragment stood in the largest file that was not refused.
        last: what became of that file.
        refused: how often it stood in the first file that was refused, and why; (0, "") for none.
        exponent: of time, between the last two files that were read and written within the limits and took
            time to speak of; 0 where there are no two.
    """

    times: int
    last: Outcome
    refused: tuple[int, str]
    exponent: float


def grow(suffix: str, build: fuzz_growth.Builder, most: int) -> Growth:
    """Open and render files in which a fragment is repeated more and more often."""
    seen: list[tuple[int, Outcome]] = []
    refused = (0, "")
    for power in range(1, round(math.log10(most)) + 1):
        outcome = open_and_render(f"a.{suffix}", build(10**power))
        if outcome.what == "refused":
            refused = (10**power, outcome.detail)
            break
        seen.append((10**power, outcome))
        if outcome.what not in FINE:
            break
    whole = [(times, outcome.seconds) for times, outcome in seen if outcome.what in FINE]
    slow = [(times, seconds) for times, seconds in whole if seconds > _NOTHING][-2:]
    exponent = 0.0
    if len(slow) == 2:
        exponent = math.log(slow[1][1] / slow[0][1]) / math.log(slow[1][0] / slow[0][0])
    times, last = seen[-1] if seen else (0, Outcome("refused", ""))
    return Growth(times, last, refused, exponent)


def grow_all(suffixes: Sequence[str], most: int) -> int:
    """Print how each fragment grows; 1 if one was over a limit, else 0."""
    failed = 0
    print("format fragment                  times  became   seconds    MiB  exponent  refused")
    for suffix in suffixes or fuzz_growth.FRAGMENTS:
        for name, build in fuzz_growth.FRAGMENTS[suffix].items():
            grown = grow(suffix, build, most)
            last = grown.last
            failed |= last.what not in FINE
            at = (
                f"{grown.refused[0]}: {grown.refused[1].partition('opened. ')[2]}" if grown.refused[0] else ""
            )
            print(
                f"{suffix:6} {name:24} {grown.times:8}  {last.what:8} {last.seconds:7.1f} {last.peak:6.0f}"
                f"  {grown.exponent:8.2f}  {at}",
                flush=True,
            )
    return failed


def main() -> int:
    """Print the counts; the exit status is 1 if a file failed."""
    parser = argparse.ArgumentParser()
    kinds = list(fuzz_mutations.seeds())
    with_elements = [kind for kind in kinds if fuzz_schema.elements(kind)]
    parser.add_argument("--grow", nargs="*", metavar="SUFFIX", choices=list(fuzz_growth.FRAGMENTS))
    parser.add_argument("--elements", nargs="*", metavar="FORMAT", choices=with_elements)
    parser.add_argument("--places", type=int, default=2)
    parser.add_argument("--most", type=int, default=10**6)
    parser.add_argument("files", nargs="?", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--formats", nargs="*", metavar="FORMAT", choices=kinds, default=())
    parser.add_argument("--only", type=int)
    parser.add_argument("--save", type=Path, default=Path("build/fuzz"))
    options = parser.parse_args()
    if options.grow is not None:
        return grow_all(options.grow, options.most)
    if options.elements is not None:
        return insert_all(options.elements, options.places, options.seed, options.save)
    numbers = range(options.files) if options.only is None else range(options.only, options.only + 1)
    results = run(numbers, options.seed, options.save, options.formats)
    print(table(results))
    if options.only is not None:
        print(results[0][1].detail)
    return int(any(outcome.what not in FINE for _, outcome in results))


if __name__ == "__main__":
    sys.exit(main())
