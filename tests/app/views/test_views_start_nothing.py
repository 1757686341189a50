"""What the import contracts cannot see: a view that reaches for jobs, threads or the store through an object,
and widgets outside of views."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import anaphora

REACHED = {"tasks", "store"}  # attributes of `DocumentController` that are for services
STARTED = {"QThread", "QThreadPool", "QRunnable", "Thread"}


APP = Path(anaphora.__file__).parent
VIEWS = {"views", "window", "view"}
WITH_WIDGETS = {"composition.py", "main.py"}  # they make the application and its window


def is_view(path: Path) -> bool:
    """Whether a module belongs to a feature's view, to the window or to what views are made of."""
    return not VIEWS.isdisjoint(path.relative_to(APP).parts[:-1])


def imports_widgets(path: Path) -> bool:
    """Whether a module imports Qt's widgets."""
    source = path.read_text("utf-8")
    return "QtWidgets" in source and any(
        isinstance(node, ast.ImportFrom) and node.module == "PySide6.QtWidgets"
        for node in ast.walk(ast.parse(source))
    )


def forbidden(path: Path) -> list[str]:
    """ "file:line name" of each place that starts something by itself or takes hold of the store."""
    source = path.read_text("utf-8")
    if not any(name in source for name in REACHED | STARTED):
        return []
    return [
        f"{path.name}:{node.lineno} {name}"
        for node in ast.walk(ast.parse(source))
        if (isinstance(node, ast.Attribute) and (name := node.attr) in REACHED)
        or (isinstance(node, ast.Name) and (name := node.id) in STARTED)
    ]


@pytest.mark.slow
def test_no_view_starts_a_job_or_takes_hold_of_the_store() -> None:
    modules = [path for path in APP.rglob("*.py") if is_view(path)]
    assert len(modules) > 120
    assert not [place for path in modules for place in forbidden(path)]


@pytest.mark.slow
def test_widgets_are_imported_by_views_alone() -> None:
    importing = {path for path in APP.rglob("*.py") if imports_widgets(path)}
    assert len(importing) > 80
    others = {path.relative_to(APP).as_posix() for path in importing if not is_view(path)}
    assert others <= WITH_WIDGETS


def test_what_is_forbidden_is_found(tmp_path: Path) -> None:
    file = tmp_path / "view.py"
    file.write_text(
        "pool = QThreadPool()\ncontroller.tasks.start(work)\npath = project.store.path\n", "utf-8"
    )
    assert sorted(forbidden(file)) == ["view.py:1 QThreadPool", "view.py:2 tasks", "view.py:3 store"]
