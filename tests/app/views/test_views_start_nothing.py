"""What the import contracts cannot see: a view reaching for jobs, threads or the store through an object."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import anaphora.views

REACHED = {"tasks", "store"}  # attributes of `DocumentController` that are for services
STARTED = {"QThread", "QThreadPool", "QRunnable", "Thread"}


def forbidden(path: Path) -> list[str]:
    """ "file:line name" of each place that starts something by itself or takes hold of the store."""
    return [
        f"{path.name}:{node.lineno} {name}"
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if (isinstance(node, ast.Attribute) and (name := node.attr) in REACHED)
        or (isinstance(node, ast.Name) and (name := node.id) in STARTED)
    ]


@pytest.mark.slow
def test_no_view_starts_a_job_or_takes_hold_of_the_store() -> None:
    modules = [path for folder in anaphora.views.__path__ for path in Path(folder).rglob("*.py")]
    assert len(modules) > 40
    assert not [place for path in modules for place in forbidden(path)]


def test_what_is_forbidden_is_found(tmp_path: Path) -> None:
    file = tmp_path / "view.py"
    file.write_text(
        "pool = QThreadPool()\ncontroller.tasks.start(work)\npath = project.store.path\n", "utf-8"
    )
    assert sorted(forbidden(file)) == ["view.py:1 QThreadPool", "view.py:2 tasks", "view.py:3 store"]
