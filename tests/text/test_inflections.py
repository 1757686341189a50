"""Forms of a term that replace other words."""

from __future__ import annotations

import pytest

from anaphora_text.inflections import fits, forms_like, may_take_place_of


@pytest.mark.parametrize(
    ("term", "replaced", "kinds", "forms"),
    [
        ("footprint", "wrapper", "NVJ", ("footprint",)),
        ("footprint", "wrappers", "NVJ", ("footprints",)),
        ("people", "users", "NVJ", ("people",)),
        ("personnel", "users", "NVJ", ("personnel",)),
        ("unit", "troops", "NVJ", ("units",)),
        ("information", "data", "NVJ", ("information",)),
        ("deprecate", "expires", "NVJ", ("deprecates",)),
        ("accommodated", "hold", "NVJ", ("accommodate",)),
        ("complete", "full", "NJ", ("complete",)),
        ("warning", "alerts", "NJ", ("warnings",)),
        ("schematic diagram", "schemas", "NVJ", ("schematic diagrams",)),
        ("show", "displayed", "NVJ", ("showed", "shown")),
        ("look at", "observes", "NVJ", ("looks at",)),
        ("grateful", "appreciate", "NVJ", ()),
        ("Karmada", "Karma", "NVJ", ("Karmada",)),
    ],
)
def test_forms_match_inflection_of_replaced_words(term, replaced, kinds, forms) -> None:
    assert forms_like(term, replaced, kinds)[:1] == forms[:1] and bool(forms) == bool(
        forms_like(term, replaced, kinds)
    )
    assert all(fits(form, replaced, kinds) for form in forms)


@pytest.mark.parametrize(
    ("term", "replaced", "may"),
    [
        ("schematic", "schema", True),
        ("issues", "problem", True),
        ("involved", "participate", False),
        ("sure", "ensure", False),
    ],
)
def test_word_of_other_part_of_speech_does_not_fit(term, replaced, may) -> None:
    assert may_take_place_of(term, replaced) is may
