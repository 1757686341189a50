"""Projects of the last version that numbered segments, made of golden and of damaged files, are opened here.

    python tests/benchmarks/migrate_projects.py 1000

The version comes from the repository's history. Its projects hold joins, splits, texts, comments and history;
nothing of it may be lost, each segment has to find its place, and exports are the same, byte for byte.
With `--keep FOLDER` the projects stay, as those in `tests/golden/projects/schema-8.zip` did.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "app" / "support"))

import fuzz_formats
import fuzz_mutations
import fuzz_schema

from anaphora.core.segment import Segment
from anaphora.core.tags import MARK
from anaphora.export.writing import snapshot, write_export
from anaphora.projects.opening import open_project
from anaphora.reading.retagging import said_by

REVISION = "330be0f8"
"""The last commit of schema 8."""
HERE = Path(__file__).parent


def _as_held(segment: Segment) -> list[Any]:
    return [segment.source, segment.target, int(segment.status)]


def _with_texts_of_tags(segment: Segment) -> list[Any]:
    """The same where what was text is a tag now."""
    labels = dict(segment.tags)
    source, target = (
        MARK.sub(lambda mark: said_by(mark.group(), labels) or mark.group(), text)
        for text in (segment.source, segment.target)
    )
    return [source, target, int(segment.status)]


def problems(project: Path, made: dict[str, Any]) -> list[str]:
    """What is not as it was in a project of `make_old_projects`, once it has been opened."""
    opened = open_project(project)
    found: list[str] = []
    try:
        now = {segment.id: segment for segment in opened.document}
        for key, *held in made["segments"]:
            segment = now.get(key)
            if segment is None or held not in (_as_held(segment), _with_texts_of_tags(segment)):
                found.append(f"{key} is not as it was")
            elif not segment.block:
                found.append(f"{key} has no place")
        history = {
            key: [[int(state.status), state.target] for state in opened.store.history(key)]
            for key in made["history"]
        }
        if history != made["history"]:
            found.append("the history is not as it was")
        if sorted([each.segment, each.text] for each in opened.comments) != made["comments"]:
            found.append("the comments are not as they were")
        if _export(opened, project.with_suffix(".new")) != made["export"]:
            found.append("the export is not as it was")
    finally:
        opened.store.close()
    return found


def _export(opened: Any, path: Path) -> str:
    try:
        segments = snapshot(opened.document)
        # Earlier versions left the language that a file names as it was.
        write_export(opened.store, opened.documents[0], segments, path, names_language=False)
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except Exception as error:
        return type(error).__name__


def files(count: int, seed: int, folder: Path) -> Iterator[Path]:
    """Golden files, damaged ones, and some with text in any element that their schemas know."""
    seeds = fuzz_mutations.seeds()
    golden = [(name, data) for found in seeds.values() for name, data in found]
    chance = random.Random(seed)
    kinds = [kind for kind in seeds if kind not in ("po", "xliff", "tmx") and fuzz_schema.elements(kind)]
    for number in range(count):
        if number < len(golden):
            name, data = golden[number]
        elif number % 2:
            one = fuzz_formats.case(number, seed, seeds)
            name, data = one.name, one.data
        else:
            kind = chance.choice(kinds)
            name, host = fuzz_schema.HOSTS.get(kind, seeds[kind][0])
            data = fuzz_schema.inserted(kind, host, chance.choice(sorted(fuzz_schema.elements(kind))), chance)
        place = folder / str(number) / Path(name).name
        place.parent.mkdir(parents=True)
        place.write_bytes(data)
        yield place


def make(sources: list[Path], folder: Path, old: Path, seed: int) -> dict[str, Any]:
    """Let the old version make projects in a folder."""
    archive = subprocess.run(
        ["git", "archive", REVISION, "app", "engine", "resources"],
        cwd=HERE.parents[1],
        check=True,
        capture_output=True,
    ).stdout
    subprocess.run(["tar", "-x", "-C", str(old)], input=archive, check=True)
    path = os.pathsep.join(str(old / name) for name in ("app", "engine", "resources"))
    environment = {**os.environ, "PYTHONPATH": path, "ANAPHORA_DATA": str(old / "data")}
    command = [sys.executable, str(HERE / "make_old_projects.py"), str(folder), str(seed)]
    names = "\n".join(map(str, sources))
    subprocess.run(command, input=names, text=True, check=True, env=environment)
    made: dict[str, Any] = json.loads((folder / "made.json").read_text("utf-8"))
    return made


def main() -> int:
    """Print how many projects of each format are as they were; 1 if one is not."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path)
    wanted = parser.parse_args()
    with ExitStack() as stack:
        work, old, data = (Path(stack.enter_context(tempfile.TemporaryDirectory())) for _ in range(3))
        os.environ["ANAPHORA_DATA"] = str(data)
        folder = wanted.keep or work / "projects"
        folder.mkdir(parents=True, exist_ok=True)
        made = make(list(files(wanted.count, wanted.seed, work / "files")), folder, old, wanted.seed)
        counted = Counter[str]()
        failed = 0
        for name, held in made.items():
            if wanted.keep is None and (found := problems(folder / name, held)):
                failed += 1
                print(f"{name} ({held['name']}): {'; '.join(found[:3])}")
            counted[Path(held["name"]).suffix] += 1
    print(", ".join(f"{kind[1:]} {number}" for kind, number in sorted(counted.items())))
    print(f"{counted.total()} projects, {failed} not as they were")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
