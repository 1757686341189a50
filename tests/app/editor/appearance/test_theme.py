"""Contrasts of colours by WCAG 2.2 in every theme."""

from __future__ import annotations

import re
from dataclasses import fields
from importlib.resources import files
from pathlib import Path

import pytest
from PySide6 import QtWidgets
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication

import anaphora
from anaphora.editor.appearance.theme import (
    CONTRAST,
    DARK,
    LIGHT,
    Colours,
    Theme,
    ThemeChoice,
)

THEMES = {"light": LIGHT, "dark": DARK, "contrast": CONTRAST}
GROUNDS = ("window", "surface", "raised")
TEXTS = ("text", "muted", "accent", "receding", "warning", "confirmed", "draft", "edited")


def luminance(colour: str) -> float:
    """WCAG 2.2, "relative luminance"."""
    parts = [QColor(colour).redF(), QColor(colour).greenF(), QColor(colour).blueF()]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("name", THEMES)
def test_text_is_readable_on_every_background(name: str) -> None:
    colours: Colours = THEMES[name]
    least = 7.0 if name == "contrast" else 4.5
    read = {
        (text, ground): contrast(getattr(colours, text), getattr(colours, ground))
        for text in TEXTS[:4]
        for ground in GROUNDS
    }
    read |= {
        ("text", ground): contrast(colours.text, getattr(colours, ground))
        for ground in ("hover", "selection", "accent_soft", "match", "unsure_back", "locked_back")
    }
    read |= {
        ("receding", "unsure_back"): contrast(colours.receding, colours.unsure_back),
        ("accent_text", "accent"): contrast(colours.accent_text, colours.accent),
    }
    assert {pair: value for pair, value in read.items() if value < least} == {}


@pytest.mark.parametrize("name", THEMES)
def test_icons_are_distinguishable_from_their_background(name: str) -> None:
    """Icons and the edge of the focused widget need 3:1."""
    colours: Colours = THEMES[name]
    signs = ("warning", "confirmed", "draft", "edited", "accent")
    read = {
        (sign, ground): contrast(getattr(colours, sign), getattr(colours, ground))
        for sign in signs
        for ground in GROUNDS
    }
    if name == "contrast":
        read |= {("border", ground): contrast(colours.border, getattr(colours, ground)) for ground in GROUNDS}
        read |= {
            ("not_started", ground): contrast(colours.not_started, getattr(colours, ground))
            for ground in GROUNDS
        }
    assert {pair: value for pair, value in read.items() if value < 3.0} == {}


def test_the_style_sheet_uses_existing_colours() -> None:
    """For an unknown scheme Qt reports "unknown" and paints its default."""
    sheet = files("anaphora_resources").joinpath("qss", "anaphora.qss").read_text("utf-8")
    rules = re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL)
    assert set(re.findall(r"@(\w+)", rules)) - {"icons"} <= {field.name for field in fields(Colours)}


def test_the_style_sheet_names_existing_widgets() -> None:
    """A rule for a class, an object or a property that has been renamed styles nothing."""
    sheet = files("anaphora_resources").joinpath("qss", "anaphora.qss").read_text("utf-8")
    rules = re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL)
    selectors = ",".join(re.findall(r"([^{}]+)\{", rules))
    code = "".join(path.read_text("utf-8") for path in Path(anaphora.__file__).parent.rglob("*.py"))
    values = re.findall(r'\[(\w+)="(\w+)"\]', selectors)
    plain = re.sub(r"\[.*?\]|::?[\w-]+", "", selectors)
    names = re.findall(r"(?<![\w#])[A-Z]\w+", plain)
    objects = re.findall(r"#(\w+)", plain)
    assert len(names) > 100 and len(objects) > 15 and len(values) > 8
    assert {name for name in names if not hasattr(QtWidgets, name) and f"class {name}(" not in code} == set()
    assert {name for name in objects if f'"{name}"' not in code} == set()
    assert {name for name, _ in values if f'"{name}"' not in code} == set()
    assert {value for _, value in values if value != "true" and f'"{value}"' not in code} == set()


def test_high_contrast_can_be_switched_on_and_off(qapp) -> None:
    theme = Theme(qapp, ThemeChoice.CONTRAST)
    assert theme.colours is CONTRAST and theme.is_high_contrast
    assert len({getattr(CONTRAST, field.name) for field in fields(CONTRAST)}) > 15
    theme.choose(ThemeChoice.LIGHT)
    assert theme.colours is LIGHT and not theme.is_high_contrast


def test_every_choice_has_its_colours_and_the_desktops_are_the_default(qapp) -> None:
    theme, seen = Theme(qapp, ThemeChoice.SYSTEM), []
    theme.changed.connect(lambda: seen.append(theme.colours))
    of_desktop = DARK if QGuiApplication.styleHints().colorScheme() is Qt.ColorScheme.Dark else LIGHT
    wanted = {
        ThemeChoice.DARK: DARK,
        ThemeChoice.SYSTEM: of_desktop,
        ThemeChoice.CONTRAST: CONTRAST,
        ThemeChoice.LIGHT: LIGHT,
    }
    for choice, colours in wanted.items():
        theme.choose(choice)
        assert (theme.choice, theme.colours, theme.is_dark) == (choice, colours, colours is not LIGHT)
        assert theme.is_high_contrast is (colours is CONTRAST)
    assert seen == [*wanted.values()]


@pytest.mark.parametrize(("choice", "follows"), [(ThemeChoice.SYSTEM, 1), (ThemeChoice.DARK, 0)])
def test_the_desktops_colours_are_followed_by_default(qapp, choice, follows: int) -> None:
    theme, changes = Theme(qapp, choice), []
    theme.changed.connect(lambda: changes.append(theme.colours))
    QGuiApplication.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert len(changes) == follows
