"""Changes modules in one small thing each, and counts how many of these mutants their own tests kill.

    python tests/benchmarks/mutate.py [--files 50] [--mutants 6] [--seed 1] [TEST ...]

A test file's module is the one at the same place: tests/app/core/test_tags.py and app/anaphora/core/tags.py.
Test files are drawn by the seed among those whose tests take at most --longest seconds, or named; so are the
mutants of each file, whatever other files are drawn. A mutant that lives is printed with its line: a test is
missing there, or the change makes no difference. Trials are forks of one process that has imported what the
tests need besides our own modules, so it runs on Linux and macOS.
"""

from __future__ import annotations

import argparse
import ast
import compileall
import copy
import importlib
import os
import py_compile
import random
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = {"app": "app/anaphora", "engine": "engine/anaphora_nmt", "text": "engine/anaphora_text"}
COMPARED = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
HEAVY = ("torch", "PySide6.QtWidgets", "PySide6.QtNetwork", "lxml.etree", "sentencepiece")
COMPUTED = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Mod: ast.Add}


@dataclass(frozen=True)
class Mutant:
    """A module with one change.

    Attributes:
        line: where it is. says: what it is.
    """

    line: int
    says: str
    source: str


def module_of(test: Path) -> Path | None:
    """The module that a test file is about; None where none stands at its place."""
    _, area, *folders, name = test.relative_to(ROOT).parts
    module = ROOT.joinpath(SOURCES.get(area, area), *folders, name.removeprefix("test_"))
    return module if module.is_file() else None


def mutants(source: str) -> list[Mutant]:
    """All mutants of a module: comparisons, sums, conditions, numbers and statements changed, one in each."""
    found = []
    count = sum(1 for _ in _changes(ast.parse(source)))
    for wanted in range(count):
        tree = ast.parse(source)
        for number, (node, says, change) in enumerate(_changes(tree)):
            if number == wanted:
                before = ast.unparse(node)
                change()
                after = says or ast.unparse(node)
                found.append(Mutant(getattr(node, "lineno", 0), f"{before} → {after}", ast.unparse(tree)))
                break
    return found


def _changes(tree: ast.Module):
    """What can be changed in a tree: the node, what is said of it, and a function that changes it."""
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        for node in _body(function):
            if isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARED:
                yield node, "", lambda node=node: node.ops.__setitem__(0, COMPARED[type(node.ops[0])]())
            elif isinstance(node, ast.BinOp) and type(node.op) in COMPUTED and not _is_text(node):
                yield node, "", lambda node=node: setattr(node, "op", COMPUTED[type(node.op)]())
            elif isinstance(node, ast.BoolOp):
                other = ast.Or if isinstance(node.op, ast.And) else ast.And
                yield node, "", lambda node=node, other=other: setattr(node, "op", other())
            elif isinstance(node, ast.If | ast.IfExp):
                negated = ast.UnaryOp(ast.Not(), copy.deepcopy(node.test))
                yield (
                    node.test,
                    "the contrary",
                    lambda node=node, negated=negated: setattr(node, "test", negated),
                )
            elif isinstance(node, ast.Constant) and type(node.value) is bool:
                yield node, "", lambda node=node: setattr(node, "value", not node.value)
            elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
                yield node, "", lambda node=node: setattr(node, "value", node.value + 1)


def _body(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """The nodes of a function's statements, without what it logs and what stands in other functions."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.JoinedStr | ast.Raise):
            continue
        if (
            isinstance(node, ast.keyword) and node.arg == "strict"
        ):  # it only says so where a list is too short
            continue
        if isinstance(node, ast.Expr) and ast.unparse(node).startswith(("log.", "'", '"')):
            continue
        if isinstance(node, ast.AnnAssign):
            waiting += [node.value] if node.value is not None else []
            continue
        yield node
        waiting += ast.iter_child_nodes(node)


def _is_text(node: ast.BinOp) -> bool:
    """Whether texts, lists or types are put together rather than numbers."""
    parts = (node.left, node.right)
    if any(isinstance(part, ast.Constant) and isinstance(part.value, int | float) for part in parts):
        return False
    return any(isinstance(part, ast.Constant | ast.JoinedStr | ast.Tuple | ast.List) for part in parts)


class Copy:
    """The sources in a folder of their own, where modules are changed.

    Their byte code is kept beside them and used only where it is that of the text as it now is.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("app", "engine"):
            shutil.copytree(
                ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "experiments")
            )
        compileall.compile_dir(folder, quiet=2, invalidation_mode=py_compile.PycInvalidationMode.CHECKED_HASH)

    def fails(self, test: Path, longest: float) -> bool:
        """Whether a test file fails with the sources as they are now, or takes too long."""
        until = time.monotonic() + longest
        child = os.fork()
        if child == 0:
            self._run(test)
        while time.monotonic() < until:
            done, status = os.waitpid(child, os.WNOHANG)
            if done:
                return os.waitstatus_to_exitcode(status) not in (0, 5)
            time.sleep(0.01)
        os.killpg(child, signal.SIGKILL)
        os.waitpid(child, 0)
        return True

    def _run(self, test: Path) -> NoReturn:
        """Run a test file in this process, which is a new one, and end."""
        code = 1
        try:
            os.setpgid(0, 0)
            quiet = os.open(os.devnull, os.O_WRONLY)
            os.dup2(quiet, 1)
            os.dup2(quiet, 2)
            os.chdir(ROOT)
            paths = [str(self.folder / "app"), str(self.folder / "engine"), str(ROOT / "resources")]
            os.environ |= {
                "PYTHONPATH": os.pathsep.join(paths),
                "PYTHONDONTWRITEBYTECODE": "1",
                "QT_QPA_PLATFORM": "offscreen",
            }
            sys.path[:0] = [str(ROOT), *paths]
            sys.dont_write_bytecode = True
            code = pytest.main(["-q", "-x", "-p", "no:cacheprovider", str(test)])
        finally:
            os._exit(code)

    def put(self, module: Path, source: str) -> None:
        """Let a module have another text."""
        (self.folder / module.relative_to(ROOT)).write_text(source, encoding="utf-8")


def main() -> None:
    """Draw test files and mutants, run them, and print what lives."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("tests", nargs="*", type=Path, metavar="TEST")
    parser.add_argument("--files", type=int, default=50)
    parser.add_argument("--mutants", type=int, default=6, help="of each module, drawn among all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--longest", type=float, default=12.0, help="seconds of a test file")
    given = parser.parse_args()
    tests = [path.resolve() for path in given.tests] or sorted(
        path for area in SOURCES for path in (ROOT / "tests" / area).rglob("test_*.py") if module_of(path)
    )
    if not given.tests:
        random.Random(given.seed).shuffle(tests)
    for name in HEAVY:
        importlib.import_module(name)
    killed = made = files = 0
    with tempfile.TemporaryDirectory() as folder:
        copied = Copy(Path(folder))
        for test in tests:
            module = module_of(test)
            if files == given.files or module is None:
                continue
            source, begun = module.read_text(encoding="utf-8"), time.monotonic()
            possible = mutants(source)
            if not possible or copied.fails(test, given.longest):
                continue
            allowed = 4 * (time.monotonic() - begun) + 5
            files += 1
            drawn = random.Random(f"{given.seed} {test.relative_to(ROOT)}").sample(
                possible, min(given.mutants, len(possible))
            )
            alive = []
            for mutant in sorted(drawn, key=lambda each: each.line):
                copied.put(module, mutant.source)
                if not copied.fails(test, allowed):
                    alive.append(mutant)
            copied.put(module, source)
            killed, made = killed + len(drawn) - len(alive), made + len(drawn)
            print(f"{test.relative_to(ROOT)}: {len(drawn) - len(alive)} of {len(drawn)} killed", flush=True)
            for mutant in alive:
                print(f"    {module.relative_to(ROOT)}:{mutant.line}: {mutant.says}", flush=True)
    print(f"{files} files, {made} mutants, {killed} killed: {killed / max(made, 1):.0%}")


if __name__ == "__main__":
    main()
