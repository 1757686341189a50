"""The dialogs about models."""

from __future__ import annotations

from anaphora.editor.appearance.theme import LIGHT, make_style_sheet
from anaphora.features.models.view.dialog import LanguagesDialog


def test_languages_must_be_chosen_and_differ(qtbot):
    dialog = LanguagesDialog(("source", "target"), ())
    qtbot.addWidget(dialog)
    assert not dialog.ok_button.isEnabled(), "nothing is preselected"
    dialog.choose("source", "de")
    assert not dialog.ok_button.isEnabled()
    dialog.choose("target", "de")
    assert not dialog.ok_button.isEnabled()
    dialog.choose("target", "fr")
    assert dialog.ok_button.isEnabled() and dialog.choices == {"source": "de", "target": "fr"}


def test_languages_in_the_name_are_preselected(qtbot):
    dialog = LanguagesDialog(("source", "target"), (), None, "marian-en-zh")
    qtbot.addWidget(dialog)
    assert dialog.ok_button.isEnabled() and dialog.choices == {"source": "en", "target": "zh"}
    known = LanguagesDialog(("target",), ("deu_Latn", "fra_Latn"))
    qtbot.addWidget(known)
    assert not known.ok_button.isEnabled()
    known.choose("target", "fra_Latn")
    assert known.ok_button.isEnabled() and known.choices == {"target": "fra_Latn"}


def test_a_disabled_button_looks_disabled(qtbot):
    dialog = LanguagesDialog(("source", "target"), ())
    qtbot.addWidget(dialog)
    dialog.setStyleSheet(make_style_sheet(LIGHT))
    dialog.show()

    def ground() -> str:
        image = dialog.ok_button.grab().toImage()
        return image.pixelColor(8, image.height() // 2).name()

    assert ground() == LIGHT.hover
    for side, code in (("source", "de"), ("target", "fr")):
        dialog.choose(side, code)
    assert ground() == LIGHT.accent
