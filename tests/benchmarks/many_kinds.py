"""Documents of 13 kinds one after the other in one window, with the real engine: what stays of each.

    python tests/benchmarks/many_kinds.py MEASURED.jsonl [--documents 100] [--drafts 10] [--confirmed 5]
        [--double] [--objects]

Each is opened, drafted in part, confirmed in part and closed; what is freed goes back to the system, as when
the translator rests. The first, number 0, is a story: with a person's name a table is read that is read once.
The next 13 are one of each kind. After each a line is written: resident memory (MiB), of it what no file
backs (`anonymous`), which is what the process itself holds, and what files do: `fonts`, `libraries` of code,
other files (`weights`, dictionaries), and of these pages those that were written (`dirty`): all others the
system takes back when it needs them. Then what the C library has handed out (`used`) and keeps free (`free`),
Python's blocks, and how many objects its collector knows. With
ANAPHORA_NATIVE=0 the engine computes with torch alone.

`--double` takes a double of the engine; `--objects` says at the end of which types there are more than after
the 26th document.
"""

from __future__ import annotations

import argparse
import collections
import gc
import re
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "app" / "support"))
from allocated_memory import allocated
from long_day import Day, note
from recording_translator import RecordingTranslator

from anaphora_text.freed_memory import give_back, keep_little

GOLDEN = Path(__file__).parents[1] / "golden"
STORY = "王强没有回答，他低声说：“我不知道。”\n李明转身走了。\n账本保存记录。\n"
KINDS = (
    *("txt", "docx", "odt", "pptx", "xlsx", "html", "epub"),
    *("srt", "ass", "po", "xliff", "tmx", "markdown"),
)


def documents_of(kind: str) -> list[Path]:
    """The real files of a kind."""
    left_out = (".py", ".json")
    files = (GOLDEN / kind).iterdir()
    return sorted(
        path for path in files if path.is_file() and path.name != "SOURCES.md" and path.suffix not in left_out
    )


_FONTS = (".ttc", ".ttf", ".otf", ".pfb", ".pcf.gz")
_HEADER = re.compile(r"[0-9a-f]+-[0-9a-f]+ \S+ \S+ \S+ \d+ *(.*)")


def memory() -> dict[str, float]:
    """What the process holds, in MiB."""
    held = dict.fromkeys(("rss", "anonymous", "fonts", "libraries", "weights", "dirty"), 0.0)
    kind = "weights"
    for line in Path("/proc/self/smaps").read_text("utf-8").splitlines():
        if header := _HEADER.fullmatch(line):
            name = header[1].removesuffix(" (deleted)")
            is_library = ".so" in name or "/bin/" in name
            kind = "fonts" if name.endswith(_FONTS) else "libraries" if is_library else "weights"
            own = backed = 0.0
            continue
        field, _, value = line.partition(":")
        if field in ("Rss", "Anonymous", "Shared_Dirty", "Private_Dirty"):
            size = int(value.split()[0]) / 1024
            if field == "Rss":
                held["rss"] += size
                held[kind] += size
            elif field == "Anonymous":
                held["anonymous"] += size
                held[kind] -= size
                own = size
            else:
                backed += size
                held["dirty"] += size
        elif field == "VmFlags":
            # What is written and no file's is the process's own.
            held["dirty"] -= min(own, backed)
    used, free = allocated()
    return {
        **{name: round(size, 1) for name, size in held.items()},
        "used": round(used, 1),
        "free": round(free, 1),
        "blocks": sys.getallocatedblocks(),
    }


def types() -> collections.Counter[str]:
    """How many objects there are of each type that the collector knows."""
    return collections.Counter(
        f"{type(each).__module__}.{type(each).__qualname__}" for each in gc.get_objects()
    )


def work(day: Day, path: Path, drafts: int, confirmed: int) -> dict[str, object]:
    """Open, draft in part, confirm in part and close one document."""
    controller = day.window.controller
    failed = len(day.failures)
    controller.open(path)
    day.until(lambda: controller.session is not None or len(day.failures) > failed, "opening")
    if controller.session is None:
        return {"document": path.name, "failed": day.failures[-1]}
    segments = [segment.id for segment in controller.session.document]
    wanted = min(drafts, len(segments))

    def are_made() -> bool:
        return len(day.drafted) >= wanted or not day.window.services.drafting.progress.active

    day.until(are_made, "drafts")
    made = [each for each in segments if each in day.drafted]
    for each in made[:confirmed]:
        controller.editing.confirm(each)
    day.pump(0.3)
    drafted = len(day.drafted)
    day.close_document()
    day.pump(0.3)
    gc.collect()
    give_back()
    return {"document": path.name, "segments": len(segments), "drafted": drafted, **memory()}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("measured", type=Path)
    parser.add_argument("--documents", type=int, default=100)
    parser.add_argument("--drafts", type=int, default=10)
    parser.add_argument("--confirmed", type=int, default=5)
    parser.add_argument("--double", action="store_true", help="a double of the engine")
    parser.add_argument("--objects", action="store_true", help="which objects have become more")
    arguments = parser.parse_args()
    keep_little()
    with tempfile.TemporaryDirectory() as made, arguments.measured.open("w", encoding="utf-8") as out:
        folder = Path(made)
        double = RecordingTranslator()
        day = Day(folder, 0.0, 0, (lambda: double) if arguments.double else None)
        story = folder / "story.txt"
        story.write_text(STORY, "utf-8")
        note({"number": 0, **work(day, story, arguments.drafts, arguments.confirmed)}, out)
        early: collections.Counter[str] = collections.Counter()
        for number in range(arguments.documents):
            files = documents_of(KINDS[number % len(KINDS)])
            source = files[number // len(KINDS) % len(files)]
            path = folder / f"{number:03d}-{source.name}"
            shutil.copy(source, path)
            measured = {"number": number + 1, **work(day, path, arguments.drafts, arguments.confirmed)}
            measured["objects"] = len(gc.get_objects())
            note(measured, out)
            if arguments.objects and number == 2 * len(KINDS) - 1:
                early = types()
        if arguments.objects:
            for name, more in (types() - early).most_common(40):
                print(f"{more:8d}  {name}")
        day.end()


if __name__ == "__main__":
    main()
