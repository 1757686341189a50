"""Declarations of features: order, unique names and unique places."""

from __future__ import annotations

import importlib
import sys
from collections import Counter
from pathlib import Path

import pytest

import anaphora.features
from anaphora.editor.actions.entries import MenuPart
from anaphora.editor.feature import Feature
from anaphora.features.registry import FEATURES
from anaphora.window.menus import GROUPS


def features_in(module: str) -> set[type[Feature]]:
    """The features that a module uses."""
    values = vars(sys.modules[module]).values()
    return {each for each in values if isinstance(each, type) and issubclass(each, Feature)} - {Feature}


@pytest.mark.parametrize("feature", FEATURES)
def test_a_feature_comes_after_those_it_uses(feature: type[Feature]) -> None:
    before = FEATURES[: FEATURES.index(feature)]
    assert features_in(feature.__module__) <= {feature, *before}


def test_every_feature_is_in_the_registry() -> None:
    for path in Path(anaphora.features.__file__).parent.glob("*/feature.py"):
        module = importlib.import_module(f"anaphora.features.{path.parent.name}.feature")
        assert features_in(module.__name__) <= set(FEATURES), path


def test_names_and_places_are_unique(make_window) -> None:
    window = make_window(start=False)
    entries = [each for feature in window.features for each in feature.entries()]
    parts = [each for feature in window.features for each in feature.shown()]
    places = [place for each in entries for place in each.places.split()]
    names = [each.name for each in entries if not isinstance(each, MenuPart)]
    for declared in (places, names, [each.name for each in parts if hasattr(each, "name")]):
        assert max(Counter(declared).values()) == 1, Counter(declared).most_common(3)
    for menu, group, _ in (place.split(":") for place in places):
        assert group in GROUPS[menu].split()
