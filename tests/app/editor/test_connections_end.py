"""Views have no closures connected to longer-lived objects, as Qt disconnects only bound methods."""

from __future__ import annotations

import ast
from pathlib import Path

import anaphora

APP = Path(anaphora.__file__).parent
VIEWS = {"editor", "window", "view"}
OUTLIVE = {
    "theme",
    "controller",
    "project",
    "services",
    "service",
    "session",
    "worker",
    "keymap",
    "settings",
    "memory",
}


def lasting(source: str) -> list[str]:
    """The connections of closures to signals of objects that outlive a view."""
    return [
        ast.unparse(node)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "connect"
        and not OUTLIVE.isdisjoint(part.lstrip("_") for part in ast.unparse(node.func).split("."))
        and any(ast.unparse(argument).startswith(("lambda", "partial(")) for argument in node.args)
    ]


def test_no_view_leaves_a_closure_connected_to_a_longer_lived_object() -> None:
    features = APP.glob("features/*/feature.py")
    views = [path for path in APP.rglob("*.py") if not VIEWS.isdisjoint(path.relative_to(APP).parts[:-1])]
    views += features
    assert len(views) > 100
    assert not {path.name: found for path in views if (found := lasting(path.read_text("utf-8")))}
